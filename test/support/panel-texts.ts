// Reads the panel's source for its texts: those that are translated, and those that should be.
import { parseSync, Visitor, type ESTree } from 'vite';

export interface TextUse {
  readonly place: string;
  readonly text: string;
}
export interface FileTexts {
  /** Keys of the catalogue. */
  readonly translated: readonly TextUse[];
  readonly plurals: readonly TextUse[];
  readonly problems: readonly TextUse[];
  /** Texts for people that are not translated. */
  readonly plain: readonly TextUse[];
}

/** Attributes and properties that people read. */
const readByPeople =
  /^(?:aria-(?:label|description)|children|title|alt|header|heading|hint|consequence|question|empty|facts|nothing|fallback|message|note|reason|summary|(?:\w*(?:[lL]abel|[dD]escription|Message|Text|Title|[pP]laceholder)))$/;
const functions = new Set(['t', 'tCount', 'rich']);

type Node = ESTree.Node;

export function textsOf(path: string, source: string): FileTexts {
  const texts = {
    translated: [] as TextUse[],
    plurals: [] as TextUse[],
    problems: [] as TextUse[],
    plain: [] as TextUse[],
  };
  const lineStarts = [0, ...[...source.matchAll(/\n/g)].map(({ index }) => index + 1)];
  const useOf = (node: Node, text: string): TextUse => ({
    place: `${path}:${lineStarts.findLastIndex((start) => start <= node.start) + 1}`,
    text: text.replaceAll(/\s+/g, ' ').trim(),
  });
  const { program } = parseSync(path, source);
  /** Nodes that need no translation, or have one. */
  const done = new Set<Node>();
  const addKey = (list: TextUse[], node: Node | undefined): void => {
    const key = node === undefined ? undefined : literalText(node);
    if (node === undefined || key === undefined) return;
    done.add(node);
    list.push({ ...useOf(node, ''), text: key });
  };
  const check = (node: Node, isRead: boolean): void => {
    if (done.has(node)) return;
    done.add(node);
    const text = plainText(node);
    if (text !== undefined && (isRead ? isWord(text) : isProse(text))) texts.plain.push(useOf(node, text));
  };
  const checkRead = (node: Node | null | undefined): void => {
    for (const each of alternatives(node)) check(each, true);
  };
  new Visitor({
    ImportDeclaration: ({ source: from }) => void done.add(from),
    ExportNamedDeclaration: ({ source: from }) => void (from !== null && done.add(from)),
    ImportExpression: ({ source: from }) => void done.add(from),
    TSLiteralType: ({ literal }) => void done.add(literal),
    CallExpression(node) {
      const { callee } = node;
      if (callee.type !== 'Identifier' || !functions.has(callee.name)) return;
      const [first, second] = node.arguments;
      if (callee.name === 'tCount') {
        const forms = new Map(
          second?.type === 'ObjectExpression' ? second.properties.flatMap((each) => propertyOf(each)) : [],
        );
        for (const form of ['one', 'other'])
          if (forms.get(form) === undefined || literalText(forms.get(form)!) === undefined)
            texts.problems.push(useOf(node, `tCount() needs the form “${form}” as a literal`));
        addKey([], forms.get('one'));
        addKey(texts.plurals, forms.get('other'));
      } else if (first === undefined || literalText(first) === undefined)
        texts.problems.push(useOf(node, `${callee.name}() needs a literal`));
      else addKey(texts.translated, first);
    },
    JSXText(node) {
      if (isWord(node.value.replaceAll(/&\w+;/g, ' '))) texts.plain.push(useOf(node, node.value));
    },
    JSXElement: ({ children }) => checkChildren(children),
    JSXFragment: ({ children }) => checkChildren(children),
    JSXAttribute({ name, value }) {
      // Icons have names in lower case, and figures have names that people read.
      const isFigure = name.name === 'name' && value?.type === 'Literal' && /^[A-Z]/.test(String(value.value));
      const isRead = isFigure || (name.type === 'JSXIdentifier' && readByPeople.test(name.name));
      if (isRead) checkRead(value?.type === 'JSXExpressionContainer' ? (value.expression as Node) : value);
      else if (value?.type === 'Literal') done.add(value);
    },
    Property({ key, value }) {
      done.add(key);
      const name = key.type === 'Identifier' ? key.name : key.type === 'Literal' ? String(key.value) : '';
      if (readByPeople.test(name)) checkRead(value);
    },
    'Literal:exit': (node) => check(node, false),
    'TemplateLiteral:exit': (node) => check(node, false),
  }).visit(program);
  return texts;

  function checkChildren(children: readonly Node[]): void {
    for (const child of children) if (child.type === 'JSXExpressionContainer') checkRead(child.expression as Node);
  }
}

function propertyOf(node: Node): [string, Node][] {
  return node.type === 'Property' && node.key.type === 'Identifier' ? [[node.key.name, node.value]] : [];
}

function literalText(node: Node): string | undefined {
  return node.type === 'Literal' && typeof node.value === 'string' ? node.value : undefined;
}

/** Returns the text with `{}` for each value, or undefined if the node is no text. */
function plainText(node: Node): string | undefined {
  return node.type === 'TemplateLiteral'
    ? node.quasis.map(({ value }) => value.cooked ?? '').join('{}')
    : literalText(node);
}

/** Returns the literals that the expression can be. */
function alternatives(node: Node | null | undefined): Node[] {
  switch (node?.type) {
    case 'Literal':
    case 'TemplateLiteral':
      return [node];
    case 'ConditionalExpression':
      return [...alternatives(node.consequent), ...alternatives(node.alternate)];
    case 'LogicalExpression':
      return [...alternatives(node.left), ...alternatives(node.right)];
    // Tables of names and values.
    case 'ArrayExpression':
      return node.elements.flatMap((row) => (row?.type === 'ArrayExpression' ? alternatives(row.elements[0]) : []));
    case 'ParenthesizedExpression':
    case 'TSAsExpression':
      return alternatives(node.expression);
    default:
      return [];
  }
}

/** A word in lower case that is not a name, an address, code or an example of one. */
function isWord(text: string): boolean {
  return text.split(/[\s…]+/).some((word) => /^[("“]*[A-Z]?[a-z]+(?:[-’][a-z]+)*[)"”,.:;?!]*$/.test(word));
}

/** More than one word, as a sentence or a heading begins. */
function isProse(text: string): boolean {
  return /^[A-Z][a-z]+ (?:[A-Za-z]|\{\})|^[^=;#/]*[a-z]+ [a-z]+ [a-z]+/.test(text);
}
