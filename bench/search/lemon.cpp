/*
 * The Gallai-Edmonds decomposition by LEMON (https://lemon.cs.elte.hu), a library that shares no
 * code with this project: a second witness for core/take_stones/solver.pyx.
 *
 *     lemon <first> <last>
 *
 * prints a line for each number of stones from <first> to <last>: the set of each stone, from 1 on,
 * as a letter. D are the stones that some maximum matching misses, A their neighbours, C the rest.
 */
#include <cstdio>
#include <cstdlib>
#include <string>

#include <lemon/matching.h>
#include <lemon/smart_graph.h>

using Graph = lemon::SmartGraph;
using Matching = lemon::MaxMatching<Graph>;

static std::string sets(int n)
{
    Graph graph;
    graph.reserveNode(n);
    for (int stone = 1; stone <= n; stone++)
        graph.addNode();
    for (int factor = 1; factor <= n; factor++)
        for (int multiple = 2 * factor; multiple <= n; multiple += factor)
            graph.addEdge(graph.nodeFromId(factor - 1), graph.nodeFromId(multiple - 1));
    Matching matching(graph);
    matching.run();
    std::string letters(n, 'C');
    for (int stone = 1; stone <= n; stone++) {
        Matching::Status status = matching.status(graph.nodeFromId(stone - 1));
        if (status == Matching::EVEN)
            letters[stone - 1] = 'D';
        else if (status == Matching::ODD)
            letters[stone - 1] = 'A';
    }
    return letters;
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    for (int n = std::atoi(argv[1]); n <= std::atoi(argv[2]); n++)
        std::puts(sets(n).c_str());
}
