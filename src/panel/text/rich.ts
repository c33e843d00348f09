// Sentences with elements in them.
import { createElement, Fragment, type ReactNode } from 'react';
import { translate, type Values } from './text.ts';

type Tag<Text extends string> = Text extends `${string}</${infer Name}>${infer Rest}` ? Name | Tag<Rest> : never;
type Elements<Text extends string> = { readonly [Name in Tag<Text>]: (content: ReactNode) => ReactNode };
type Part = ReactNode | ((content: ReactNode) => ReactNode);

/**
 * `rich('Read the <link>guide</link> of {name}.', { link: (text) => <Anchor href="/docs">{text}</Anchor>, name: <b>x</b> })`.
 * The catalogue has the sentence as a whole.
 */
export function rich<const Text extends string>(
  text: Text,
  parts: Values<Text, ReactNode> & Elements<Text>,
): ReactNode {
  return compose(translate(text), parts as Readonly<Record<string, Part>>);
}

function compose(text: string, parts: Readonly<Record<string, Part>>): ReactNode {
  const nodes: ReactNode[] = [];
  let end = 0;
  for (const match of text.matchAll(/<(\w+)>([^<]*)<\/\w+>|\{(\w+)\}/g)) {
    const [whole, tag, content, placeholder] = match;
    const part = parts[tag ?? placeholder!];
    nodes.push(text.slice(end, match.index), typeof part === 'function' ? part(compose(content!, parts)) : part);
    end = match.index + whole.length;
  }
  return createElement(Fragment, null, ...nodes, text.slice(end));
}
