# A bot in awk for every game: it makes the last legal move.
# python -m bots "stdio:awk -W interactive -f examples/bot.awk" --name awk
# (mawk reads nothing until its buffer is full unless it is told -W interactive; gawk and others
# do without it.)

$1 == "turn" {
    for (field = 2; field <= NF; field++) {
        split($field, pair, "=")
        value[pair[1]] = pair[2]
    }
    count = split(value["legal"], legal, ",")
    print legal[count]
    fflush()
}
