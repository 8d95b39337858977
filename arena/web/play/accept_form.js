// The form that accepts a challenge.
import { h } from "../dom.js";
import { JoinForm } from "./join_form.js";
import { player } from "./player_connection.js";

/** @import { FormOptions } from "./join_form.js" */

export class AcceptForm extends JoinForm {
  /**
   * @param {FormOptions} options
   * @param {string} challenge
   */
  constructor(options, challenge) {
    super(options);
    const accept = () => player.accept(this.readName(), this.games, challenge);
    const text = "You have been challenged. The match starts when you accept.";
    const form = this.createForm(accept, [h("p", {}, text), this.nameField], "Accept");
    this.main.append(h("h1", {}, "Challenge"), form);
  }
}
