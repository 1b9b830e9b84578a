// One page: the program is in it, compressed, and everything that it answers is put into the page as text, never as HTML.
"use strict";

const at = (id) => document.getElementById(id);

// Makes an element: its name and class, then texts and elements.
function make(name, ...children) {
	const [tag, style] = name.split(".");
	const element = document.createElement(tag);
	if (style) element.className = style;
	element.append(...children.filter((child) => child !== null));
	return element;
}

// A title and a list, or nothing.
function section(title, items, list = "ul") {
	return items.length === 0 ? null : make("div", make("h3", title), make(list, ...items.map((item) => make("li", item))));
}

// A text in which `...` is code.
function prose(text) {
	return make("span", ...text.split("`").map((part, index) => (index % 2 ? make("code", part) : part)));
}

const encoder = new TextEncoder();

// The kinds of answers -------------------------------------------------------------------------------------------

function explained(answer) {
	if (!answer.layer) return [make("p", "This is not a failure that is known here: ", make("em", answer.meaning || "no layer recognized"))];
	const causes = answer.causes.map(({ cause, evidence }) =>
		make("span", prose(cause), evidence && evidence !== answer.evidence ? make("pre", evidence) : null));
	return [
		make("h2", answer.name ? `${answer.code} ${answer.name}, layer ${answer.layer}` : `Layer ${answer.layer}`),
		make("p", prose(answer.meaning)),
		answer.evidence ? make("div", make("h3", "The line that decides"), make("pre", answer.evidence)) : null,
		section("Likely causes", causes, "ol"),
		section("Check", answer.checks.map(prose)),
		section("Misleading", answer.misleading.map(prose)),
		section("Ruled out", answer.rulesOut.length ? [answer.rulesOut.join(", ")] : []),
	];
}

function table(heads, rows) {
	const head = make("tr", ...heads.map((name) => (name ? make("th", name) : make("td"))));
	return make("table", make("thead", head), make("tbody", ...rows.map((row) => make("tr", ...row.map((cell) => make("td", cell))))));
}

// Offers bytes as a file.
function download(name, bytes) {
	const url = URL.createObjectURL(new Blob([bytes]));
	const link = document.createElement("a");
	link.href = url;
	link.download = name.split("/").pop() || "file";
	link.click();
	URL.revokeObjectURL(url);
}

function saver(name, content) {
	const button = make("button", "Save");
	button.setAttribute("aria-label", `Save ${name}`);
	button.addEventListener("click", () => download(name, content()));
	return button;
}

function inspected(answer, bytes) {
	const layers = answer.layers.map(({ depth, kind, size, name }) => {
		const item = make("div", `${kind} `, make("span.quiet", `${size} bytes ${name || ""}`));
		item.style.paddingLeft = `${depth}rem`;
		return item;
	});
	const list = section("Layers", layers);
	if (list) list.lastChild.className = "tree";
	const files = answer.files.map(({ path, mode, size }, index) => [
		make("code", path), mode || "", `${size}`, saver(path, () => wasm_bindgen.file(bytes, index)),
	]);
	const variables = Object.entries(answer.variables).filter(([, value]) => value !== "");
	const warnings = answer.warnings.map(({ problem, hint }) => make("span", make("span.warning", problem), hint ? make("div.quiet", prose(hint)) : null));
	return [
		make("h2", answer.kind),
		section("Warnings", warnings),
		list,
		files.length ? make("div", make("h3", "Files"), table(["path", "mode", "bytes", ""], files)) : null,
		answer.command ? make("div", make("h3", "Command"), make("pre", answer.command)) : null,
		section("Runs", answer.runs.map(({ stage, text }) => make("span", stage, make("pre", text)))),
		variables.length
			? make("div", make("h3", "Variables"), table(["name", "value"], variables.map(([name, value]) => [make("code", name), make("code", value)])))
			: null,
		answer.configuration
			? make("div", make("h3", "Configuration"), make("pre", JSON.stringify(answer.configuration, null, 2)))
			: null,
	];
}

function shown(value) {
	if (value === null || value === undefined) return make("span.quiet", "absent");
	return make("code", typeof value === "string" ? value : JSON.stringify(value));
}

function compared(answer) {
	if (answer.equal) return [make("p", "Both make the same node.")];
	const row = (one) => [make("code", one.name || one.path), shown(one.a), one.secret ? "another secret" : shown(one.b)];
	// A long list is compared by its elements.
	const rows = (list) => list.flatMap((one) => (one.details && one.details.length
		? one.details.map((detail) => row({ ...detail, path: `${one.name || one.path} ${detail.path}` }))
		: [row(one)]));
	const parts = ["variables", "files", "configuration", "command", "runs", "documents"];
	return [
		make("h2", "Differences"),
		...parts.map((part) => (answer[part].length
			? make("div", make("h3", part[0].toUpperCase() + part.slice(1)), table(["", "before", "after"], rows(answer[part])))
			: null)),
		answer.notCompared.length ? make("p.quiet", `Not compared: ${answer.notCompared.join(", ")}`) : null,
	];
}

function judged(answer, text) {
	const lines = text.split("\n");
	const findings = answer.findings.map(({ path, line, column, severity, rule, problem, hint }) => make("span",
		make(`strong.${severity}`, severity), ` ${path}: ${problem} [${rule}]`,
		line ? make("pre", `${line}: ${lines[line - 1] || ""}\n${" ".repeat(`${line}: `.length + column - 1)}^`) : null,
		hint ? make("div.quiet", prose(hint)) : null));
	const more = answer.total - answer.findings.length;
	return [
		make("h2", answer.valid ? "Valid" : "Not valid"),
		section("Findings", findings),
		more > 0 ? make("p", `and ${more} more`) : null,
	];
}

function rendered(answer, text) {
	if (answer.error) return [make("p.error", answer.error)];
	if (answer.findings) return judged(answer, text);
	const rows = [["CustomData", `${answer.size.customData} of ${answer.size.limit} characters`, saver("custom-data.txt", () => encoder.encode(answer.customData))]];
	if (answer.cse) rows.push(["command", `${answer.size.cse} of ${answer.size.cseLimit} bytes`, saver("command.txt", () => encoder.encode(answer.cse))]);
	return [
		make("h2", `Route ${answer.route}, ${answer.os}`),
		table(["", "size", ""], rows),
		make("p.warning", "Both have the secrets of the document: base64 hides nothing."),
	];
}

// The page -------------------------------------------------------------------------------------------------------

function show(place, elements) {
	at(place).replaceChildren(...elements.filter((element) => element !== null));
}

// The bytes of a text field, or of the file beside it.
let chosen = null;

const answers = {
	explain() {
		const text = at("explain-text").value;
		show("explain-answer", text.trim() ? explained(JSON.parse(wasm_bindgen.explain(text))) : []);
	},
	inspect() {
		const bytes = chosen || encoder.encode(at("inspect-text").value);
		show("inspect-answer", bytes.length ? inspected(JSON.parse(wasm_bindgen.inspect(bytes, at("inspect-clear").checked)), bytes) : []);
	},
	diff() {
		const [before, after] = ["diff-before", "diff-after"].map((id) => encoder.encode(at(id).value));
		show("diff-answer", before.length && after.length ? compared(JSON.parse(wasm_bindgen.diff(before, after))) : []);
	},
	document() {
		const text = at("document-text").value;
		show("document-answer", text.trim() ? judged(JSON.parse(wasm_bindgen.validate(text)), text) : []);
		show("document-result", []);
	},
	render() {
		const text = at("document-text").value;
		const answer = wasm_bindgen.generate(text, at("document-route").value, at("document-os").value);
		show("document-result", text.trim() ? rendered(JSON.parse(answer), text) : []);
	},
};

// Calls a function when typing pauses.
function later(call) {
	let timer = 0;
	return () => {
		clearTimeout(timer);
		timer = setTimeout(call, 150);
	};
}

function choose(tab) {
	for (const other of document.querySelectorAll("[role=tab]")) {
		const isChosen = other === tab;
		other.setAttribute("aria-selected", isChosen);
		other.tabIndex = isChosen ? 0 : -1;
		at(other.getAttribute("aria-controls")).hidden = !isChosen;
	}
	tab.focus();
}

function listen() {
	const tabs = [...document.querySelectorAll("[role=tab]")];
	tabs.forEach((tab, index) => {
		tab.addEventListener("click", () => choose(tab));
		tab.addEventListener("keydown", ({ key }) => {
			const to = { ArrowRight: index + 1, ArrowLeft: index - 1, Home: 0, End: tabs.length - 1 }[key];
			if (to !== undefined) choose(tabs[(to + tabs.length) % tabs.length]);
		});
	});
	for (const [id, answer] of [["explain-text", "explain"], ["diff-before", "diff"], ["diff-after", "diff"], ["document-text", "document"]]) {
		at(id).addEventListener("input", later(answers[answer]));
	}
	at("inspect-text").addEventListener("input", later(() => {
		chosen = null;
		answers.inspect();
	}));
	at("inspect-file").addEventListener("change", async ({ target }) => {
		chosen = target.files.length ? new Uint8Array(await target.files[0].arrayBuffer()) : null;
		answers.inspect();
	});
	at("inspect-clear").addEventListener("change", answers.inspect);
	at("document-render").addEventListener("click", answers.render);
	for (const button of document.querySelectorAll(".example")) {
		button.addEventListener("click", () => {
			const field = at(button.dataset.for);
			field.value = JSON.parse(at(`example-${button.dataset.example}`).textContent);
			field.dispatchEvent(new Event("input"));
		});
	}
}

async function start() {
	const packed = Uint8Array.from(atob(at("program").textContent), (character) => character.charCodeAt(0));
	const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
	const program = await new Response(stream).arrayBuffer();
	await wasm_bindgen({ module_or_path: program });
	listen();
	document.documentElement.dataset.ready = "true";
}

start();
