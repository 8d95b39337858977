/*
 * Perfect play of Take-Stones by Edmonds' blossom algorithm: the reference of
 * core/take_stones/solver.pyx.
 *
 *     blossom <n> <times>
 *
 * computes the winning first moves with the stones 1 to n, <times> times, and prints on one line
 *
 *     count sum seconds
 *
 * The seconds are the processor time of one repetition: building the graph, matching, and selecting
 * the moves.
 *
 * It is the textbook algorithm for general graphs, as a C++ programmer would write it. The graph
 * is there with all its edges, in one array. A greedy matching comes first: each stone, ascending,
 * takes its first unmatched neighbour. Then a breadth-first search starts from each stone that is
 * still unmatched, and keeps odd cycles as sets with a representative, the base. After a search
 * that augments the matching, only what it has touched is reset; the tree of a search that fails
 * can never help another one and is frozen. The outer stones of all the frozen trees are those that
 * some maximum matching misses, and these win.
 */
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <utility>
#include <vector>

enum Label : uint8_t { OUTSIDE, OUTER, INNER, FROZEN_OUTER, FROZEN_INNER };

/* The neighbours of v, ascending, are neighbour[start[v]] up to neighbour[start[v + 1]]. */
struct Graph {
    int n;
    std::vector<int> start;
    std::vector<int> neighbour;

    explicit Graph(int n) : n(n), start(n + 2)
    {
        for (int factor = 1; factor <= n; factor++)
            for (int multiple = 2 * factor; multiple <= n; multiple += factor) {
                start[factor + 1]++;
                start[multiple + 1]++;
            }
        for (int v = 1; v <= n; v++)
            start[v + 1] += start[v];
        neighbour.resize(start[n + 1]);
        std::vector<int> end(start);
        for (int factor = 1; factor <= n; factor++)
            for (int multiple = 2 * factor; multiple <= n; multiple += factor) {
                neighbour[end[factor]++] = multiple;
                neighbour[end[multiple]++] = factor;
            }
    }
};

struct Matching {
    const Graph &graph;
    std::vector<Label> label;
    std::vector<int> mate;      /* 0: unmatched */
    std::vector<int> parent;    /* of an inner stone; in odd cycles, the way round that ends even */
    std::vector<int> base;      /* of the odd cycles that a stone is in, by way of others */
    std::vector<int> mark;      /* the last search for a common ancestor that came by */
    int search = 0;
    std::vector<int> queue;     /* outer stones to scan */
    std::vector<int> touched;

    explicit Matching(const Graph &graph)
        : graph(graph), label(graph.n + 1), mate(graph.n + 1), parent(graph.n + 1),
          base(graph.n + 1), mark(graph.n + 1)
    {
        for (int v = 1; v <= graph.n; v++)
            base[v] = v;
        start_greedily();
        for (int v = 1; v <= graph.n; v++)
            if (!mate[v]) {
                if (grow(v))
                    reset();
                else
                    freeze();
            }
    }

    void start_greedily()
    {
        for (int v = 1; v <= graph.n; v++)
            for (int e = graph.start[v]; !mate[v] && e < graph.start[v + 1]; e++)
                if (!mate[graph.neighbour[e]]) {
                    mate[v] = graph.neighbour[e];
                    mate[mate[v]] = v;
                }
    }

    int find(int v)
    {
        while (base[v] != v)
            v = base[v] = base[base[v]];
        return v;
    }

    void make_outer(int v)
    {
        label[v] = OUTER;
        queue.push_back(v);
    }

    /* The base at which the ways from two outer stones to the root meet. */
    int common_base(int v, int w)
    {
        search++;
        for (;; std::swap(v, w)) {
            if (!v)
                continue;
            v = find(v);
            if (mark[v] == search)
                return v;
            mark[v] = search;
            v = mate[v] ? parent[mate[v]] : 0;
        }
    }

    /* Takes one side of an odd cycle into its base: from v, which w closes the cycle with. */
    void shrink(int v, int w, int common)
    {
        while (find(v) != common) {
            parent[v] = w;
            w = mate[v];
            if (label[w] == INNER)
                make_outer(w);
            if (base[v] == v)
                base[v] = common;
            if (base[w] == w)
                base[w] = common;
            v = parent[w];
        }
    }

    /* Matches along the way from an unmatched stone next to the outer stone v to the root. */
    void augment(int w, int v)
    {
        while (w) {
            int next = mate[v];
            mate[w] = v;
            mate[v] = w;
            w = next;
            v = parent[w];
        }
    }

    /* Searches from an unmatched stone. Whether it has found another one and matched both. */
    bool grow(int root)
    {
        queue.clear();
        touched.assign(1, root);
        make_outer(root);
        for (size_t head = 0; head < queue.size(); head++) {
            int v = queue[head];
            for (int e = graph.start[v]; e < graph.start[v + 1]; e++) {
                int w = graph.neighbour[e];
                if (label[w] == OUTSIDE && !mate[w]) {
                    augment(w, v);
                    return true;
                }
                if (label[w] == OUTSIDE) {
                    label[w] = INNER;
                    parent[w] = v;
                    touched.push_back(w);
                    touched.push_back(mate[w]);
                    make_outer(mate[w]);
                } else if (label[w] == OUTER && find(v) != find(w)) {
                    int common = common_base(v, w);
                    shrink(v, w, common);
                    shrink(w, v, common);
                }
            }
        }
        return false;
    }

    void reset()
    {
        for (int v : touched) {
            label[v] = OUTSIDE;
            base[v] = v;
        }
    }

    void freeze()
    {
        for (int v : touched)
            label[v] = label[v] == OUTER ? FROZEN_OUTER : FROZEN_INNER;
    }
};

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    int n = atoi(argv[1]), times = atoi(argv[2]), count = 0;
    long long sum = 0;
    clock_t begin = clock();
    for (int time = 0; time < times; time++) {
        Graph graph(n);
        Matching matching(graph);
        count = 0;
        sum = 0;
        for (int stone = 1; 2 * stone < n; stone += 2)
            if (matching.label[stone] == FROZEN_OUTER) {
                count++;
                sum += stone;
            }
    }
    double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC / times;
    printf("%d %lld %.9f\n", count, sum, seconds);
    return 0;
}
