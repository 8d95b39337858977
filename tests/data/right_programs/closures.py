import sys
from decimal import ROUND_HALF_UP, Decimal

sys.setrecursionlimit(10000)


def prime(x):
    return x > 1 and all(x % i for i in range(2, int(x**0.5) + 1))


def main(argv):
    n, k = int(argv[0]), int(argv[1])
    taken = list(map(int, argv[2 : 2 + k]))
    depth = int(argv[2 + k])
    free = set(range(1, n + 1)) - set(taken)
    c = {"v": 0, "e": 0, "d": 0}
    best = [0]

    def moves(last):
        if last == 0:
            return [i for i in sorted(free) if i % 2 and 2 * i < n]
        return [i for i in sorted(free) if i % last == 0 or last % i == 0]

    def ev(last, mx, m):
        if not m:
            return -1.0 if mx else 1.0
        if 1 in free:
            return 0.0
        if last == 1:
            cnt, w = len(m), 0.5
        elif prime(last):
            cnt, w = sum(i % last == 0 for i in m), 0.7
        else:
            p = max(i for i in range(2, last + 1) if last % i == 0 and prime(i))
            cnt, w = sum(i % p == 0 for i in m), 0.6
        v = w if cnt % 2 else -w
        return v if mx else -v

    def search(last, mx, d, a, b):
        c["v"] += 1
        c["d"] = max(c["d"], d)
        m = moves(last)
        if not m or (depth and d == depth):
            c["e"] += 1
            return ev(last, mx, m)
        v = -9e9 if mx else 9e9
        for s in m:
            free.discard(s)
            x = search(s, not mx, d + 1, a, b)
            free.add(s)
            if (x > v) if mx else (x < v):
                v = x
                if d == 0:
                    best[0] = s
            if mx:
                if v >= b:
                    return v
                a = max(a, v)
            else:
                if v <= a:
                    return v
                b = min(b, v)
        return v

    v = search(taken[-1] if taken else 0, k % 2 == 0, 0, -9e9, 9e9)
    print("Move:", best[0])
    print("Value:", v + 0.0)
    print("Number of Nodes Visited:", c["v"])
    print("Number of Nodes Evaluated:", c["e"])
    print("Max Depth Reached:", c["d"])
    print(
        "Avg Effective Branching Factor:",
        Decimal(c["v"] - 1)
        .__truediv__(Decimal(c["v"] - c["e"]))
        .quantize(Decimal("0.1"), ROUND_HALF_UP),
    )


if __name__ == "__main__":
    main(sys.argv[1:])
