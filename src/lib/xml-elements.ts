// Writes XML elements as text.

type Content = string | number | readonly Element[];
export type Element = string;

export function element(name: string, content: Content, attributes: Readonly<Record<string, string>> = {}): Element {
  const inner = Array.isArray(content) ? content.join('') : escapeXml(String(content));
  const attributeTexts = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeXml(value)}"`);
  return `<${name}${attributeTexts.join('')}>${inner}</${name}>`;
}

/** Returns no element for an empty text. */
export function optional(text: string | undefined, create: (text: string) => Element): Element[] {
  return text === undefined || text === '' ? [] : [create(text)];
}

/** XML does not allow control characters at all. */
function escapeXml(text: string): string {
  return text
    .replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
