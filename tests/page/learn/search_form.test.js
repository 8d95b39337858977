import { deepEqual, equal, match, throws } from "node:assert/strict";
import { SearchForm } from "/learn/search_form.js";
import { GAMES } from "../support/arena.js";
import { isolation, takeStones } from "../support/boards.js";
import { test } from "../support/browser.js";
import { button, field as fieldOf, fill, properties, show } from "../support/elements.js";

/** Return a form for an address, with its fields by their labels and the number of its events. */
function searchForm(t, query = "", module = takeStones) {
  const [change, draw] = [t.mock.fn(), t.mock.fn()];
  const form = new SearchForm({ games: GAMES }, new URLSearchParams(query), change, draw);
  form.module = module;
  show(form.element);
  const field = label => fieldOf(label, form.element);
  const enter = (label, value, type = "input") => {
    fill(field(label), value, type);
  };
  const click = text => button(text, form.element).click();
  const changes = () => change.mock.callCount();
  const draws = () => draw.mock.callCount();
  return { form, field, enter, click, changes, draws };
}

test("a position is read from the address, with moves in the notation of the game", t => {
  const { form, field } = searchForm(
    t,
    "game=isolation&size=5&moves=7,56&depth=2&variant=minimax",
    isolation,
  );
  form.readAddress();
  equal(field("Moves").value, "(1 8) (8 1)");
  deepEqual(form.read(), {
    game: "isolation",
    setup: { size: 5 },
    moves: [7, 56],
    depth: 2,
    variant: "minimax",
  });
  equal(form.game.title, "Isolation");
  const [tree, position] = [".tree-form", "form"].map(
    selector => form.element.querySelector(selector).hidden,
  );
  deepEqual([tree, position, field("Search").value], [true, false, "game"]);
});

test("a tree is read from the address", t => {
  const { form, field } = searchForm(t, "tree=(1+2)");
  deepEqual(form.read(), { tree: "(1 2)", depth: 0, variant: "alpha-beta" });
  const [tree, position] = [".tree-form", "form"].map(
    selector => form.element.querySelector(selector).hidden,
  );
  deepEqual([tree, position, field("Tree").getAttribute("maxlength")], [false, true, "12000"]);
});

for (const [query, depth] of [
  ["", 3],
  ["depth=", 3],
  ["depth=x", 3],
  ["depth=0", 0],
  ["depth=4", 4],
]) {
  test(`the depth of "${query}" is ${depth}`, t =>
    equal(searchForm(t, query).form.read().depth, depth));
}

test("an empty depth searches to the end", t => {
  const { form, enter, changes } = searchForm(t);
  enter("Search depth", "");
  deepEqual([form.read().depth, changes()], [0, 1]);
  equal(
    form.element.querySelector("#about-depth").textContent,
    "The depth is in plies: 0 searches to the end of the game.",
  );
});

test("wrong fields are reported", t => {
  const { form, enter } = searchForm(t, "moves=x");
  throws(() => form.readAddress(), /A move must be its name or its number/);
  throws(() => form.read(), /A move is the number of a stone/);
  enter("Search depth", "51");
  throws(() => form.read(), {
    message: "The depth must be empty or a whole number from 0 to 50.",
  });
  enter("Number of stones", "0");
  throws(() => form.read(), {
    message: "The number of stones must be a whole number of at least 1.",
  });
  throws(() => form.exercise, {
    message: "The number of stones must be a whole number of at least 1.",
  });
});

test("moves are taken back and cleared, another game begins without", t => {
  const { form, field, enter, click, changes } = searchForm(t, "moves=3,1,6");
  form.read();
  click("Undo");
  equal(field("Moves").value, "3 1");
  click("Undo");
  equal(field("Moves").value, "3");
  click("Clear");
  deepEqual([field("Moves").value, changes()], ["", 3]);
  enter("Moves", "5");
  form.read();
  enter("Game", "isolation", "change");
  deepEqual([field("Moves").value, changes()], ["", 5]);
});

test("the kind of search is chosen", t => {
  const { form, enter, field, changes } = searchForm(t);
  enter("Search", "tree", "change");
  equal(form.element.querySelector(".tree-form").hidden, false);
  equal(form.element.querySelector("form").hidden, true);
  equal(form.read().tree, "((5 9 7) (4 6 8) (2 11 3))");
  enter("Tree", "(1)");
  deepEqual([form.read().tree, changes()], ["(1)", 2]);
  match(
    form.element.querySelector("#about-tree").textContent,
    /^Brackets are inner nodes, numbers are leaves, and Max moves at the root\. Other/,
  );
  equal(field("Tree").getAttribute("aria-describedby"), "about-tree");
});

test("algorithms are offered once they are known, an unknown one can be replaced", t => {
  const { form, field, enter, changes } = searchForm(t, "variant=beta");
  const options = () =>
    [...field("Algorithm").options].map(
      ({ value, textContent, selected }) => `${value} ${textContent} ${selected}`,
    );
  deepEqual(options(), ["beta beta true", "alpha-beta alpha-beta false"]);
  form.setVariants({ "alpha-beta": "Alpha", minimax: "Mini" });
  deepEqual(options(), ["beta beta true", "alpha-beta Alpha false", "minimax Mini false"]);
  enter("Algorithm", "minimax", "change");
  deepEqual([form.read().variant, changes()], ["minimax", 1]);
  form.setVariants({ "alpha-beta": "Alpha", minimax: "Mini" });
  deepEqual(options(), ["minimax Mini true", "alpha-beta Alpha false"]);
});

test("a problem is shown at the fields", t => {
  const { form, field } = searchForm(t, "tree=(");
  form.showProblem("not closed");
  equal(field("Tree").getAttribute("aria-invalid"), "true");
  equal(form.element.querySelector("#problem").textContent, "not closed");
  form.showProblem(null);
  equal(field("Tree").hasAttribute("aria-invalid"), false);
  equal(form.element.querySelector("#problem").textContent, "");
});

test("exercises have a number and a depth", t => {
  const { form, field, enter, click, draws } = searchForm(t, "stones=10");
  deepEqual(properties("value", field("Its depth").options), ["2", "3", "4", "5"]);
  enter("Its depth", "2", "change");
  equal(draws(), 0); // there is no exercise yet
  click("Random exercise");
  deepEqual(form.exercise, { seed: 1, depth: 2, game: "take_stones", setup: { stones: 10 } });
  equal(draws(), 1);
  click("Random exercise");
  enter("Its depth", "3", "change");
  deepEqual([form.exercise.seed, form.exercise.depth, draws()], [2, 3, 3]);
  enter("Exercise number", "0", "change");
  deepEqual([form.exercise.seed, draws()], [0, 4]);
  for (const wrong of ["-1", "1.5", ""]) {
    enter("Exercise number", wrong);
    throws(() => form.exercise, {
      message: "The number of an exercise must be a whole number of at least 0.",
    });
  }
  enter("Search", "tree", "change");
  enter("Number of stones", "0");
  enter("Exercise number", "7");
  deepEqual(form.exercise, { seed: 7, depth: 3, game: null, setup: {} });
});

test("an exercise is filled in", t => {
  const { form, field, changes } = searchForm(t, "moves=3", isolation);
  equal(field("Its depth").value, "3");
  form.fill({ moves: [7, 56], depth: 2 });
  deepEqual([field("Moves").value, field("Search depth").value], ["(1 8) (8 1)", "2"]);
  equal(changes(), 1);
  form.fill({ tree: "(1 2)" });
  deepEqual([field("Tree").value, field("Moves").value], ["(1 2)", ""]);
  equal(field("Search depth").value, "2");
  form.fill({});
  equal(field("Search depth").value, "0");
});
