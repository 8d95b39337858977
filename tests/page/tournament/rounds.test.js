import { deepEqual, equal, ok } from "node:assert/strict";
import { Rounds } from "/tournament/rounds.js";
import { BRACKET, CUP, connect, encounter, facts, table } from "../support/arena.js";
import { pass, signal, test } from "../support/browser.js";
import { all, attributes, kinds, links, show, texts } from "../support/elements.js";

function open(arena = CUP) {
  const { connection, socket } = connect(arena);
  const rounds = new Rounds(connection, signal());
  show(rounds.element);
  return { rounds, send: lobby => socket.receive({ type: "lobby", ...lobby }) };
}
const match = (id, players, others = {}) => facts(id, { players, ...others });
const encounters = () => texts(".encounter");

test("a bracket has its rounds with seeds, scores and the ways in which they were decided", () => {
  const { rounds } = open();
  rounds.show(table([], { rounds: BRACKET }));
  deepEqual(attributes("aria-label", "[role=region]"), ["Bracket"]);
  deepEqual(texts("h3"), ["Quarterfinals", "Semifinals", "Final"]);
  deepEqual(encounters(), [
    "1ann wonbye",
    "4dan won25eve0matches",
    "2bob wonbye",
    "3cid wonbye",
    "1ann½4dan won1½matches",
    "2bob won23cid2the better seed advances",
    "4dan won32bob1sudden death",
  ]);
  deepEqual(links(document, ".cover").slice(0, 1), [
    "#/games?bot=dan&opponent=eve&game=take_stones",
  ]);
  deepEqual(attributes("aria-label", ".cover").slice(-1), ["sudden death: dan against bob"]);
  equal(
    kinds(),
    "div.pairings div.wide.card.bracket[region] section.pairings-round h3 ol[list] li div.encounter " +
      "div.entrant.winner span.seed a.bot-link bdi span.hidden-text b p.encounter-note " +
      "div.entrant.beaten a.cover",
  );
});

test("encounters to come have neither a score nor a link; a large round is named by its bots", () => {
  const { rounds } = open();
  const first = Array.from({ length: 8 }, (_, at) => encounter(`a${at}`, `b${at}`));
  rounds.show(table([], { rounds: [first, [encounter("ann", null)]] }));
  deepEqual(texts("h3"), ["Round of 16", "Final"]);
  deepEqual([encounters()[0], encounters()[8]], ["a0b0", "1annto be decided"]);
  equal(all(".cover").length, 0);
});

test("live matches are told, as long as they are played", () => {
  const { rounds, send } = open();
  send({
    full: true,
    started: [match(3, ["bob", "dan"]), match(4, ["ann", "cid"], { casual: true })],
  });
  rounds.show(table([], { rounds: [[encounter("ann", "cid"), encounter("dan", "bob")]] }));
  deepEqual(encounters(), ["1ann3cid", "4dan02bob0live"]);
  deepEqual([links(document, ".cover"), all(".is-live").length], [["#/match/3"], 1]);
  send({ over: [3], started: [match(5, ["dan", "bob"])] });
  deepEqual(links(document, ".cover"), ["#/match/5"]);
  const [kept] = all(".encounter");
  send({ moves: [] });
  ok(document.contains(kept));
  send({ full: true });
  deepEqual(encounters(), ["1ann3cid", "4dan2bob"]);
});

test("the rounds of a Swiss begin with the latest one, and some may be shown alone", () => {
  const { rounds } = open();
  const swiss = table([], {
    rounds: [[encounter("ann", "bob", [1, 1], null, "played")], [encounter("bob", "cid")]],
    points: [[1, "ann", 1, 1, 1, 0]],
  });
  rounds.show(swiss);
  deepEqual(attributes("aria-label", "[role=region]"), ["Rounds"]);
  deepEqual(texts("h3"), ["Round 2", "Round 1"]);
  deepEqual(encounters(), ["2bob3cid", "1ann12bob1matches"]);
  rounds.show(swiss, [0]);
  deepEqual(texts("h3"), ["Round 1"]);
});

test("a match that begins or ends changes its own encounter alone", () => {
  const { rounds, send } = open();
  rounds.show(table([], { rounds: [[encounter("ann", "cid"), encounter("dan", "bob")]] }));
  const [kept, old] = all(".encounter");
  send({ full: true, started: [match(3, ["bob", "dan"])] });
  deepEqual(encounters(), ["1ann3cid", "4dan02bob0live"]);
  deepEqual([kept.isConnected, old.isConnected], [true, false]);
  const [, live] = all(".encounter");
  rounds.show(table([], { rounds: [[encounter("ann", "cid", [1, 0]), encounter("dan", "bob")]] }));
  deepEqual(encounters(), ["1ann13cid0matches", "4dan02bob0live"]);
  deepEqual([kept.isConnected, live.isConnected], [false, true]);
});

test("nothing is replaced under the focus", async () => {
  const { rounds, send } = open();
  rounds.show(table([], { rounds: BRACKET }));
  const focused = all(".cover").at(-1);
  focused.focus();
  send({ full: true, started: [match(3, ["dan", "bob"]), match(4, ["dan", "eve"])] });
  deepEqual([links(document, ".is-live .cover"), focused.isConnected], [["#/match/4"], true]);
  rounds.show(table([], { rounds: BRACKET }), [0]);
  equal(texts("h3").length, 3);
  focused.blur();
  await pass(20);
  deepEqual([links(document, ".is-live .cover"), texts("h3")], [["#/match/4"], ["Quarterfinals"]]);
});
