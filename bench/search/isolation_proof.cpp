// Who wins Isolation on a small board: proof-number search, independent of the core.
//
// usage: isolation_proof SIZE MIB X O
//
// X and O are the squares of the pieces, row * SIZE + column, x to move; MIB is the size of the
// table. Prints 1 if x wins and 0 if o does, the positions expanded, and the processor time in
// seconds.
//
// Depth-first proof-number search (Nagai, "Df-pn algorithm for searching AND/OR trees and its
// applications", 2002). A position's `proof` is the estimated effort to prove that the player to
// move wins, its `disproof` that he loses. The largest child counts instead of the sum (Ueda et al.,
// "Weak proof-number search", 2008), as many lines lead to one position. Once no free square can be
// reached by both players, each walks alone, and the longer walk wins.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

using Squares = uint64_t;

const uint32_t INFINITE = 1u << 30;
int size, squares;
Squares rays[8][36];  // without an obstacle, by direction; the first four lead to higher squares
Squares near[36];     // the neighbours of a square

struct Position {
    Squares free;
    int mover, other;

    uint64_t key() const { return free | (uint64_t)mover << 36 | (uint64_t)other << 42; }
};

struct Numbers {
    uint32_t proof, disproof;
};

struct Entry {
    uint64_t key : 48, work : 16;  // work: a logarithm of the positions below, in eighths
    Numbers numbers;
};

Entry *table;
size_t entries;  // a multiple of 4, the entries of a bucket
std::vector<std::pair<uint64_t, uint8_t>> walks;  // longest walks by squares and start
uint64_t expanded;

uint64_t hash(uint64_t key) {
    key = (key ^ key >> 31) * 0x9e3779b97f4a7c15ull;
    key = (key ^ key >> 29) * 0xbf58476d1ce4e5b9ull;
    return key ^ key >> 32;
}

void set_up() {
    const int steps[4][2] = {{0, 1}, {1, -1}, {1, 0}, {1, 1}};
    for (int square = 0; square < squares; square++)
        for (int direction = 0; direction < 8; direction++) {
            int sign = direction < 4 ? 1 : -1;
            int row = square / size, column = square % size;
            for (bool first = true;; first = false) {
                row += sign * steps[direction % 4][0];
                column += sign * steps[direction % 4][1];
                if (row < 0 || row >= size || column < 0 || column >= size) break;
                rays[direction][square] |= 1ull << (row * size + column);
                if (first) near[square] |= 1ull << (row * size + column);
            }
        }
}

Squares moves_from(int square, Squares free) {
    Squares moves = 0;
    for (int direction = 0; direction < 8; direction++) {
        Squares ray = rays[direction][square], blocked = ray & ~free;
        if (blocked) {
            int first = direction < 4 ? __builtin_ctzll(blocked) : 63 - __builtin_clzll(blocked);
            ray &= ~(rays[direction][first] | 1ull << first);
        }
        moves |= ray;
    }
    return moves;
}

Squares reachable(int square, Squares free) {
    Squares found = near[square] & free;
    for (Squares border = found; border;) {
        int next = __builtin_ctzll(border);
        border &= border - 1;
        Squares fresh = near[next] & free & ~found;
        found |= fresh;
        border |= fresh;
    }
    return found;
}

int longest_walk(int square, Squares free) {
    free = reachable(square, free);
    if (!free) return 0;
    int most = __builtin_popcountll(free);
    if (most == 1) return 1;
    uint64_t key = free | (uint64_t)square << 36 | 1ull << 42;
    auto &known = walks[hash(key) % walks.size()];
    if (known.first == key) return known.second;
    // Squares with few exits first: then a walk over all squares is found soon, if there is one.
    int order[36], exits[36], count = 0;
    for (Squares moves = moves_from(square, free); moves; moves &= moves - 1) {
        int next = __builtin_ctzll(moves), i = count++;
        int number = __builtin_popcountll(near[next] & free);
        for (; i && exits[i - 1] > number; i--) order[i] = order[i - 1], exits[i] = exits[i - 1];
        order[i] = next, exits[i] = number;
    }
    int longest = 0;
    for (int i = 0; i < count && longest < most; i++)
        longest = std::max(longest, 1 + longest_walk(order[i], free & ~(1ull << order[i])));
    known = {key, (uint8_t)longest};
    return longest;
}

// The numbers of a position that is not in the table.
Numbers estimate(const Position &position) {
    Squares own = moves_from(position.mover, position.free);
    if (!own) return {INFINITE, 0};
    Squares theirs = moves_from(position.other, position.free);
    Squares region = reachable(position.mover, position.free);
    if (!(region & near[position.other])) {
        int walk = longest_walk(position.mover, region);
        Squares rest = reachable(position.other, position.free);
        bool wins = walk > __builtin_popcountll(rest);
        wins = wins || walk > longest_walk(position.other, rest);
        return wins ? Numbers{0, INFINITE} : Numbers{INFINITE, 0};
    }
    uint32_t ours = __builtin_popcountll(own), others = __builtin_popcountll(theirs);
    return {1 + 8 * others * others / (1 + ours), 1 + 8 * ours * ours / (1 + others)};
}

Entry *bucket(const Position &position) {
    return &table[hash(position.key()) % (entries / 4) * 4];
}

Numbers find(const Position &position) {
    Entry *entry = bucket(position);
    for (int i = 0; i < 4; i++)
        if (entry[i].key == position.key()) return entry[i].numbers;
    return estimate(position);
}

void keep(const Position &position, Numbers numbers, uint64_t work) {
    Entry *entry = bucket(position), *place = entry;
    for (int i = 0; i < 4; i++) {
        if (entry[i].key == position.key()) {
            place = entry + i;
            break;
        }
        if (entry[i].work < place->work) place = entry + i;
    }
    int bits = 63 - __builtin_clzll(work | 1);
    place->key = position.key();
    place->work = bits * 8 + ((work << 3 >> bits) & 7);
    place->numbers = numbers;
}

Numbers search(const Position &position, Numbers limit) {
    Position children[36];
    int count = 0;
    for (Squares moves = moves_from(position.mover, position.free); moves; moves &= moves - 1) {
        int square = __builtin_ctzll(moves);
        children[count] = {position.free & ~(1ull << square), position.other, square};
        __builtin_prefetch(bucket(children[count++]));
    }
    uint64_t start = expanded++;
    Numbers found[36];
    for (int i = 0; i < count; i++) found[i] = find(children[i]);
    for (;;) {
        Numbers numbers = {INFINITE, 0};
        uint32_t second = INFINITE, open = 0;
        int best = 0;
        for (int i = 0; i < count; i++) {
            Numbers child = found[i];
            if (child.disproof < numbers.proof) {
                second = numbers.proof;
                numbers.proof = child.disproof;
                best = i;
            } else {
                second = std::min(second, child.disproof);
            }
            numbers.disproof = std::max(numbers.disproof, child.proof);
            open += child.proof && child.proof < INFINITE;
        }
        if (numbers.proof == 0) numbers.disproof = INFINITE;
        else if (numbers.disproof && numbers.disproof < INFINITE) numbers.disproof += open - 1;
        if (numbers.proof >= limit.proof || numbers.disproof >= limit.disproof) {
            keep(position, numbers, expanded - start);
            return numbers;
        }
        Numbers next;
        next.disproof = std::min(limit.proof, second + second / 4 + 1);
        next.proof = std::min(limit.disproof - (open - 1), INFINITE);
        found[best] = search(children[best], next);
    }
}

int main(int count, char **words) {
    if (count != 5) return 2;
    size = atoi(words[1]);
    if (size < 2 || size > 6) return 2;
    squares = size * size;
    set_up();
    entries = (size_t)atoi(words[2]) << 16;
    table = (Entry *)calloc(entries, sizeof(Entry));  // pages that are not used take no time
    if (!table) return 2;
    walks.resize(1 << 18);
    int x = atoi(words[3]), o = atoi(words[4]);
    Squares all = (1ull << squares) - 1;
    Position start = {all & ~(1ull << x) & ~(1ull << o), x, o};
    Numbers numbers = find(start);
    if (numbers.proof && numbers.disproof) numbers = search(start, {INFINITE, INFINITE});
    printf("%d %llu %.3f\n", numbers.proof == 0, (unsigned long long)expanded,
           (double)clock() / CLOCKS_PER_SEC);
}
