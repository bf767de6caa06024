// A small virtual DOM: `render` changes only what is different, so that focus, scroll position and text being typed stay.

import "./click-guard.js";

const SVG = "http://www.w3.org/2000/svg";

/** A virtual node: `h("p", {class: "x", on: {click}}, "text", ...)`. false, null and undefined children are left out. */
export function h(tag, props, ...children) {
  const there = children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false);
  return { tag, props: props || {}, children: there };
}

/** A button: its class, what a tap does, and other attributes. */
export const button = (cls, tap, props, ...children) =>
  h("button", { type: "button", class: cls, ...props, on: { click: tap } }, ...children);

let lost = null; // what had the focus until it was disabled or removed

/**
 * Make the children of `parent` match `nodes`.
 *
 * An element that is disabled for a while gets its focus back. If the focused element is removed, the open sheet or `main`
 * gets the focus, so that the Tab key does not start again at the top.
 */
export function render(parent, ...nodes) {
  const here = document.activeElement;
  patchChildren(parent, h("", null, nodes).children, parent.namespaceURI === SVG);
  if (here && here !== document.body && (here.disabled || !here.isConnected)) lost = here;
  if (lost) requestAnimationFrame(() => rescue(parent));
}

function rescue(parent) {
  if (!lost || (lost.isConnected && lost.disabled)) return;
  const main = parent.querySelector(".sheet") || parent.querySelector("main"); // nothing behind a sheet takes the focus
  if (document.activeElement !== document.body) lost = null; // the user has moved the focus
  const to = lost && lost.isConnected ? lost : main;
  if (lost && to) to.focus({ preventScroll: true });
  lost = null;
}

function create(node, svg) {
  if (typeof node !== "object") return document.createTextNode(String(node));
  const inside = svg || node.tag === "svg";
  const element = inside ? document.createElementNS(SVG, node.tag) : document.createElement(node.tag);
  element._node = { props: {} };
  element._since = performance.now(); // for core/click-guard.js
  patch(element, node, inside);
  if (node.props.mount) node.props.mount(element);
  return element;
}

function matches(element, node) {
  if (typeof node !== "object") return element.nodeType === Node.TEXT_NODE;
  return Boolean(element._node) && element.localName === node.tag && element._node.props.key === node.props.key;
}

function patchChildren(parent, nodes, svg) {
  const keyed = new Map();
  for (const child of parent.childNodes) {
    const key = child._node && child._node.props.key;
    if (key !== undefined) keyed.set(key, child);
  }
  // Remove first: the other elements stay where they are, and an element that is not moved keeps the focus.
  const wanted = new Set(nodes.map((node) => (typeof node === "object" ? node.props.key : undefined)));
  for (const [key, child] of keyed) if (!wanted.has(key)) drop(child);
  let at = parent.firstChild;
  for (const node of nodes) {
    const key = typeof node === "object" ? node.props.key : undefined;
    const kept = key === undefined ? at : keyed.get(key);
    const child = kept && matches(kept, node) ? kept : null;
    if (child === null) {
      parent.insertBefore(create(node, svg), at);
      continue;
    }
    if (child !== at) parent.insertBefore(child, at);
    else at = at.nextSibling;
    if (typeof node !== "object") {
      if (child.nodeValue !== String(node)) child.nodeValue = String(node);
    } else patch(child, node, svg || node.tag === "svg");
  }
  while (at) {
    const gone = at;
    at = at.nextSibling;
    drop(gone);
  }
}

function patch(element, node, svg) {
  const before = element._node.props;
  const props = node.props;
  element._node = node;
  for (const name of Object.keys(before)) if (!(name in props)) set(element, name, before[name], undefined);
  for (const name of Object.keys(props)) {
    if (before[name] !== props[name] || name === "value") set(element, name, before[name], props[name]);
  }
  patchChildren(element, node.children, svg && node.tag !== "foreignObject");
  if (props.value !== undefined && element.localName === "select" && element.value !== props.value) element.value = props.value;
}

function set(element, name, before, value) {
  if (name === "on") {
    for (const type of Object.keys(before || {})) if (!value || !value[type]) element.removeEventListener(type, dispatch);
    for (const type of Object.keys(value || {})) if (!before || !before[type]) element.addEventListener(type, dispatch);
  } else if (name === "key" || name === "mount" || name === "unmount") {
    return;
  } else if ((name === "value" && element.localName !== "option") || name === "checked" || name === "disabled") {
    if (element[name] !== value) element[name] = value === undefined ? (name === "value" ? "" : false) : value;
  } else if (value === undefined || value === null || value === false) element.removeAttribute(name);
  else element.setAttribute(name, value === true ? "" : String(value));
}

// The listener stays and calls the function of the last render.
function dispatch(event) {
  const on = this._node.props.on;
  if (on && on[event.type]) on[event.type](event);
}

function drop(element) {
  unmount(element);
  element.remove();
}

function unmount(element) {
  if (!element._node) return;
  if (element._node.props.unmount) element._node.props.unmount(element);
  for (const child of element.childNodes) unmount(child);
}
