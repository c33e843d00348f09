// As much XML as libvirt's descriptions are written in: elements, attributes, text. They are read, changed in a place and
// written back, so that what an operator has added to a machine by hand stays. Comments and declarations are left out.
import { Fault } from '#kernel/fault.ts';

export interface Element {
  readonly name: string;
  readonly attributes: Record<string, string>;
  readonly children: Element[];
  text: string;
}

export function element(
  name: string,
  attributes: Record<string, string | number> = {},
  ...content: (Element | string)[]
): Element {
  return {
    name,
    attributes: Object.fromEntries(Object.entries(attributes).map(([key, value]) => [key, String(value)])),
    children: content.filter((part) => typeof part !== 'string'),
    text: content.filter((part) => typeof part === 'string').join(''),
  };
}

/** The first that is reached by these names. */
export function at(parent: Element, ...path: string[]): Element | undefined {
  return path.reduce<Element | undefined>(
    (found, name) => found?.children.find((child) => child.name === name),
    parent,
  );
}

export function all(parent: Element | undefined, name: string): Element[] {
  return parent?.children.filter((child) => child.name === name) ?? [];
}

/** This child in the place of the one of its name, at the end where there was none; or none any more. */
export function replaceChild(parent: Element, name: string, child: Element | undefined): void {
  const index = parent.children.findIndex((each) => each.name === name);
  const isThere = index !== -1;
  const added = child === undefined ? [] : [child];
  parent.children.splice(isThere ? index : parent.children.length, isThere ? 1 : 0, ...added);
}

export function writeXml({ name, attributes, children, text }: Element): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escape(value)}"`);
  const content = escape(text) + children.map(writeXml).join('');
  return content === '' ? `<${name}${written.join('')}/>` : `<${name}${written.join('')}>${content}</${name}>`;
}

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (letter) => escapes[letter]!);
}

function unescape(text: string): string {
  return text.replace(
    /&(?:#(x?)([0-9a-fA-F]{1,6})|([a-z]{2,4}));/g,
    (all, hex: string, number?: string, name?: string) => {
      if (number !== undefined) return letterOf(Number.parseInt(number, hex === '' ? 10 : 16));
      return Object.entries(escapes).find(([, escaped]) => escaped === `&${name};`)?.[0] ?? all;
    },
  );
}

function letterOf(code: number): string {
  if (!(code <= 0x10ffff)) throw notXml();
  return String.fromCodePoint(code);
}

/** Begins where a name does: from every letter of a long one it would look for the same `=` again. */
const attribute = /(?<![\w:.-])([A-Za-z_][\w:.-]*)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

export function parseXml(xml: string): Element {
  const top = element('');
  const open = [top];
  let position = 0;
  while (position < xml.length) {
    const inner = open.at(-1)!;
    const start = xml.indexOf('<', position);
    inner.text += unescape(xml.slice(position, start === -1 ? undefined : start));
    if (start === -1) break;
    if (xml.startsWith('<!--', start)) {
      position = after(xml, '-->', start);
      continue;
    }
    const end = after(xml, '>', start);
    const tag = xml.slice(start + 1, end - 1);
    position = end;
    if (tag.startsWith('?') || tag.startsWith('!')) continue;
    if (tag.startsWith('/')) {
      if (open.length === 1 || tag.slice(1).trim() !== inner.name) throw notXml();
      if (inner.children.length > 0) inner.text = '';
      open.pop();
      continue;
    }
    const child = elementOf(tag);
    inner.children.push(child);
    if (!tag.endsWith('/')) open.push(child);
  }
  const [document] = top.children;
  if (open.length !== 1 || document === undefined) throw notXml();
  return document;
}

function elementOf(tag: string): Element {
  const name = /^[^\s/]+/.exec(tag)?.[0];
  if (name === undefined) throw notXml();
  const attributes = Array.from(tag.slice(name.length).matchAll(attribute), ([, key, double, single]) => [
    key!,
    unescape(double ?? single ?? ''),
  ]);
  return element(name, Object.fromEntries(attributes) as Record<string, string>);
}

function after(xml: string, mark: string, from: number): number {
  const found = xml.indexOf(mark, from);
  if (found === -1) throw notXml();
  return found + mark.length;
}

function notXml(): Fault {
  return new Fault('node_error', { internal: 'libvirt described something in what is no XML' });
}
