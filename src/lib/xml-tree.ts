// Reads and writes XML as a tree of elements, attributes and text. Comments and declarations are dropped; entities that a
// document defines itself are not expanded.
import { escapeXml, xmlEntities } from './xml.ts';

export class MalformedXmlError extends Error {
  override readonly name = 'MalformedXmlError';
}

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

/** Returns the first element along the path. */
export function findPath(parent: Element, ...path: string[]): Element | undefined {
  return path.reduce<Element | undefined>(
    (parent, name) => parent?.children.find((child) => child.name === name),
    parent,
  );
}

export function childrenNamed(parent: Element | undefined, name: string): Element[] {
  return parent?.children.filter((child) => child.name === name) ?? [];
}

/** Replaces the first child of this name, appends the new one if there is none, or removes it. */
export function replaceChild(parent: Element, name: string, child: Element | undefined): void {
  const index = parent.children.findIndex((candidate) => candidate.name === name);
  const exists = index !== -1;
  const added = child === undefined ? [] : [child];
  parent.children.splice(exists ? index : parent.children.length, exists ? 1 : 0, ...added);
}

export function writeXml({ name, attributes, children, text }: Element): string {
  const attributeTexts = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeXml(value)}"`);
  const content = escapeXml(text) + children.map(writeXml).join('');
  return content === ''
    ? `<${name}${attributeTexts.join('')}/>`
    : `<${name}${attributeTexts.join('')}>${content}</${name}>`;
}

function unescape(text: string): string {
  return text.replace(
    /&(?:#(x?)([0-9a-fA-F]{1,6})|([a-z]{2,4}));/g,
    (entity, hex: string, number?: string, name?: string) => {
      if (number !== undefined) return characterOf(Number.parseInt(number, hex === '' ? 10 : 16));
      return Object.entries(xmlEntities).find(([, escaped]) => escaped === `&${name};`)?.[0] ?? entity;
    },
  );
}

function characterOf(code: number): string {
  if (!(code <= 0x10ffff)) throw malformed();
  return String.fromCodePoint(code);
}

/** The lookbehind keeps matching linear: without it, each character of a long name would start a new search. */
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
      position = endOf(xml, '-->', start);
      continue;
    }
    const end = endOf(xml, '>', start);
    const tag = xml.slice(start + 1, end - 1);
    position = end;
    if (tag.startsWith('?') || tag.startsWith('!')) continue;
    if (tag.startsWith('/')) {
      if (open.length === 1 || tag.slice(1).trim() !== inner.name) throw malformed();
      if (inner.children.length > 0) inner.text = '';
      open.pop();
      continue;
    }
    const child = parseTag(tag);
    inner.children.push(child);
    if (!tag.endsWith('/')) open.push(child);
  }
  const [document] = top.children;
  if (open.length !== 1 || document === undefined) throw malformed();
  return document;
}

function parseTag(tag: string): Element {
  const name = /^[^\s/]+/.exec(tag)?.[0];
  if (name === undefined) throw malformed();
  const attributes = Array.from(tag.slice(name.length).matchAll(attribute), ([, key, double, single]) => [
    key!,
    unescape(double ?? single ?? ''),
  ]);
  return element(name, Object.fromEntries(attributes) as Record<string, string>);
}

function endOf(xml: string, mark: string, from: number): number {
  const index = xml.indexOf(mark, from);
  if (index === -1) throw malformed();
  return index + mark.length;
}

function malformed(): MalformedXmlError {
  return new MalformedXmlError('The document is not well-formed XML.');
}
