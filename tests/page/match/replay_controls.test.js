import { deepEqual, equal } from "node:assert/strict";
import { ReplayControls } from "/match/replay_controls.js";
import { leaveView, pass, signal, testAfter } from "../support/browser.js";
import { all, fill, press, properties } from "../support/elements.js";

let controls, selected, lives, graph;
const test = testAfter(() => {
  [selected, lives] = [[], 0];
  graph = document.createElement("div");
  const onSelect = ply => selected.push(ply);
  controls = new ReplayControls({ graph, onSelect, onLive: () => lives++, signal: signal() });
  document.body.append(controls.element);
});

const FLAGS = { isLive: false, isFollowing: false };
const STATE = { ply: 3, last: 6, text: "move 3", blunders: null, ...FLAGS };
const show = state => controls.update({ ...STATE, ...state });
const steps = () =>
  all(".steps button", controls.element).filter(({ title, className }) => title && !className);
const [FIRST, PREVIOUS, PLAY, NEXT, LAST] = [0, 1, 2, 3, 4];
const blunderButtons = () => all(".blunder-button", controls.element);
const part = selector => controls.element.querySelector(selector);
const taken = () => selected.splice(0).join();
function clicked(button) {
  button.click();
  return taken();
}
const disabled = buttons => buttons.map(({ ariaDisabled }) => ariaDisabled === "true");

const pressed = (key, { target, ...more } = {}) => [press(key, target, more), taken()].join(" ");

test("the controls are a labelled group below the graph", () => {
  const { element } = controls;
  deepEqual(
    ["role", "aria-label", "class"].map(name => element.getAttribute(name)),
    ["group", "Replay", "replay"],
  );
  equal(element.firstChild, graph);
  equal(element.children[1].getAttribute("aria-label"), "Move");
  const labels = steps().map(
    button =>
      `${button.getAttribute("aria-label")}, ${button.title}, ${button.firstChild.getAttribute("class")}`,
  );
  deepEqual(labels, [
    "First position, First position, icon first",
    "Previous move, Previous move, icon previous",
    "Play, Play, icon play",
    "Next move, Next move, icon next",
    "Last position, Last position, icon last",
  ]);
  const [previous, next] = blunderButtons();
  deepEqual([previous.textContent, next.textContent], ["?? previous blunder", "?? next blunder"]);
  deepEqual(
    [previous, next].map(button => button.querySelector("svg").getAttribute("class")),
    ["icon previous", "icon next"],
  );
  equal(part(".live").textContent, "Live");
});

test("buttons step through the match, and not beyond its ends", () => {
  show();
  for (const button of [FIRST, PREVIOUS, NEXT, LAST]) steps()[button].click();
  equal(taken(), "0,2,4,6");
  show({ ply: 0 });
  steps()[PREVIOUS].click();
  show({ ply: 6 });
  steps()[NEXT].click();
  equal(taken(), "0,6");
});

test("steps are enabled where they lead on", () => {
  const states = [
    {},
    { ply: 0 },
    { ply: 6 },
    { ply: 0, last: 0 },
    { isLive: true },
    { ply: 6, isLive: true, isFollowing: true },
    { isFollowing: true },
  ];
  const found = states.map(state => {
    show(state);
    return disabled(steps()).map(Number).join("");
  });
  deepEqual(found, ["00000", "11000", "00011", "11111", "00000", "00111", "00000"]);
});

test("the slider shows the position as a text, and selects another", () => {
  show();
  const slider = part("input");
  const { min, max, value, type } = slider;
  deepEqual([type, min, max, value], ["range", "0", "6", "3"]);
  equal(slider.getAttribute("aria-valuetext"), "move 3");
  fill(slider, "5");
  equal(taken(), "5");
});

test("a live match can be followed", () => {
  show({ isLive: true });
  const button = part(".live");
  equal(button.hidden, false);
  button.click();
  equal(lives, 1);
  show({ isLive: true, isFollowing: true });
  equal(button.hidden, true);
  show();
  equal(button.hidden, true);
});

test("buttons lead to the positions after blunders", () => {
  const jumps = [0, 2, 3, 5, 6].map(ply => {
    show({ ply, blunders: [1, 4] });
    const isDisabled = disabled(blunderButtons());
    const led = blunderButtons().map(clicked);
    deepEqual(
      isDisabled,
      led.map(to => !to),
    );
    return led.join(" ");
  });
  deepEqual(jumps, [" 2", " 5", "2 5", "2 ", "5 "]);
  deepEqual(properties("hidden", blunderButtons()), [false, false]);
  show();
  deepEqual(properties("hidden", blunderButtons()), [true, true]);
});

test("keys of the page step through the match", () => {
  show();
  const keys = ["ArrowLeft", "ArrowRight", "Home", "End"];
  deepEqual(
    keys.map(key => pressed(key)),
    ["true 2", "true 4", "true 0", "true 6"],
  );
  equal(pressed("x"), "false ");
  for (const key of ["altKey", "ctrlKey", "metaKey"])
    equal(pressed("Home", { [key]: true }), "false ");
  const used = event => event.preventDefault();
  document.body.addEventListener("keydown", used);
  pressed("Home");
  document.body.removeEventListener("keydown", used);
  equal(taken(), "");
  leaveView();
  equal(pressed("Home"), "false ");
});

test("keys in fields and dialogs, and Space on buttons and links, are theirs", () => {
  show();
  const used = ["input", "select", "textarea", "dialog", "button", "a", "summary"].map(name => {
    const target = document.createElement(name);
    document.body.append(target);
    const uses = [pressed("Home", { target }), pressed(" ", { target })];
    return uses.map(use => use.trim()).join(" ");
  });
  deepEqual(used, [...Array(4).fill("false false"), ...Array(3).fill("true 0 false")]);
});

test("the match is played at the chosen speed, to its end", () => {
  show();
  steps()[PLAY].click();
  const label = () => [
    steps()[PLAY].ariaLabel,
    steps()[PLAY].title,
    steps()[PLAY].firstChild.getAttribute("class"),
  ];
  deepEqual(label(), ["Pause", "Pause", "icon pause"]);
  pass(999);
  equal(taken(), "");
  pass(1);
  equal(taken(), "4");
  const speed = all("button", controls.element).find(({ ariaLabel }) => /^Speed/.test(ariaLabel));
  deepEqual([speed.hidden, speed.textContent], [false, "×1"]);
  for (const name of ["×2.5", "×8"]) {
    speed.click();
    deepEqual([speed.textContent, speed.ariaLabel], [name, `Speed ${name}`]);
  }
  show({ ply: 5 });
  pass(120);
  equal(taken(), "6");
  show({ ply: 6 });
  deepEqual(label(), ["Play", "Play", "icon play"]);
  equal(speed.hidden, true);
  pass(5000);
  equal(taken(), "");
});

test("a pause, a step and the end of the view stop the replay", () => {
  for (const stop of [
    () => steps()[PLAY].click(),
    () => pressed("ArrowLeft"),
    () => pressed(" "),
    () => leaveView(),
  ]) {
    show();
    steps()[PLAY].click();
    stop();
    taken();
    pass(5000);
    equal(taken(), "");
  }
});

test("the replay starts again after the end, and not while the match is followed", () => {
  show({ ply: 6 });
  steps()[PLAY].click();
  equal(taken(), "0");
  steps()[PLAY].click();
  show({ ply: 6, isLive: true, isFollowing: true });
  steps()[PLAY].click();
  pass(5000);
  equal(taken(), "");
  show({ isLive: true });
  equal(pressed(" "), "true ");
  pass(1000);
  equal(taken(), "4");
});
