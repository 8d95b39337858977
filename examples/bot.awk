# A bot in awk for every game: it plays the last legal move.
# arena bot "stdio:awk -W interactive -f examples/bot.awk" --name awk
# (Without -W interactive, mawk waits until its input buffer is full; other awks do not need it.)

$1 == "turn" {
    for (field = 2; field <= NF; field++) {
        split($field, pair, "=")
        value[pair[1]] = pair[2]
    }
    count = split(value["legal"], legal, ",")
    print legal[count]
    fflush()
}
