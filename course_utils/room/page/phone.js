// The phone's page: asks again and again what is asked, and sends what is chosen. It is written for
// browsers of any age, so nothing in it is younger than 2011.
(function () {
  "use strict";
  var home = location.pathname.replace(/\/+$/, "");
  var box = document.getElementById("question");
  var said = document.getElementById("said");
  var votes = /** @type {HTMLFormElement} */ (document.getElementById("vote"));
  var questions = /** @type {HTMLFormElement} */ (document.getElementById("ask"));
  var turn = -1;
  var wait = 500;
  var again = 0;
  /** @type {XMLHttpRequest | null} */
  var listening = null;
  /** @type {any} */
  var state = null;

  /**
   * @param {string} method
   * @param {string} path
   * @param {string | null} body
   * @param {(status: number, answer: any) => void} then
   */
  function send(method, path, body, then) {
    var request = new XMLHttpRequest();
    var answer = null;
    request.open(method, home + path, true);
    request.timeout = 40000;
    request.setRequestHeader("Accept", "application/json");
    if (body !== null) request.setRequestHeader("Content-Type", "application/x-www-form-urlencoded");
    request.onreadystatechange = function () {
      if (request.readyState !== 4) return;
      try { answer = JSON.parse(request.responseText); } catch (_) { answer = null; }
      then(answer ? request.status : 0, answer || {});
    };
    request.send(body);
    return request;
  }

  /** @param {string} tag @param {string} text */
  function part(tag, text) {
    var node = document.createElement(tag);
    node.appendChild(document.createTextNode(text));
    return node;
  }

  /** @param {string} text */
  function say(text) { said.textContent = text; }

  /** @param {string} answer */
  function vote(answer) {
    say("Sending ...");
    send("POST", "/vote", "turn=" + state.turn + "&answer=" + encodeURIComponent(answer), function (status, told) {
      if (status === 200) state.mine = told.mine;
      say(status === 0 ? "The room cannot be reached: try again." : told.says);
      mark();
    });
  }

  function mark() {
    var buttons = box.getElementsByTagName("button");
    var at;
    for (at = 0; at < buttons.length; at++) {
      if (buttons[at].type !== "button") continue;
      buttons[at].className = state.mine === at ? "choice chosen" : "choice";
      buttons[at].setAttribute("aria-pressed", state.mine === at ? "true" : "false");
    }
  }

  function draw() {
    var at;
    while (box.firstChild) box.removeChild(box.firstChild);
    if (!state.question) { box.appendChild(part("p", "Wait for a question.")); say(""); return; }
    box.appendChild(part("p", state.question));
    if (!state.open) { say("Closed. Look at the wall."); return; }
    if (state.kind === "choice") {
      for (at = 0; at < state.options.length; at++) box.appendChild(choice(at));
      mark();
    } else box.appendChild(field());
    say(state.mine === null ? "Nobody sees who answers what; until it closes, the wall shows only how many." : "Counted. You can change it until it closes.");
  }

  /** @param {number} at */
  function choice(at) {
    var button = /** @type {HTMLButtonElement} */ (part("button", String.fromCharCode(65 + at) + "  " + state.options[at]));
    button.type = "button";
    button.onclick = function () { vote("#" + at); };
    return button;
  }

  function field() {
    var row = part("p", "");
    var label = part("label", state.kind === "number" ? "One number" + (state.unit ? ", in " + state.unit : "") + " " : "In your words ");
    var input = /** @type {HTMLInputElement} */ (document.createElement("input"));
    var button = part("button", "Send");
    input.id = "answer";
    label.setAttribute("for", "answer");
    input.name = "answer";
    input.maxLength = 200;
    if (state.kind === "number") input.placeholder = "0.001, 1e-3 or 1/1000";
    if (state.mine !== null) input.value = state.mine;
    row.appendChild(label);
    row.appendChild(input);
    row.appendChild(button);
    return row;
  }

  votes.onsubmit = function () {
    var input = /** @type {HTMLInputElement | null} */ (document.getElementById("answer"));
    if (input && state) vote(input.value);
    return false;
  };

  questions.onsubmit = function () {
    var text = /** @type {HTMLTextAreaElement} */ (document.getElementById("text"));
    var told = document.getElementById("asked");
    send("POST", "/question", "text=" + encodeURIComponent(text.value), function (status, answer) {
      if (status === 200) text.value = "";
      told.textContent = status === 0 ? "The room cannot be reached: try again." : answer.says;
    });
    return false;
  };

  function listen() {
    listening = send("GET", "/now?seen=" + turn, null, function (status, now) {
      if (status === 200) {
        wait = 500;
        if (now.turn !== turn) { state = now; turn = now.turn; draw(); }
        again = setTimeout(listen, 50);
        return;
      }
      if (status === 404) return say("This room is closed.");
      say("Looking for the room ...");
      turn = -1;
      wait = Math.min(2 * wait, 8000);
      again = setTimeout(listen, wait * (0.5 + Math.random()));
    });
  }

  // A phone that was put away sleeps through answers, and may wait for one that never comes.
  function wake() {
    if (document.hidden || !listening) return;
    clearTimeout(again);
    listening.onreadystatechange = null;
    listening.abort();
    wait = 500;
    listen();
  }
  if (document.addEventListener) document.addEventListener("visibilitychange", wake, false);
  listen();
})();
