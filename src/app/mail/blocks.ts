// Renders a message as text and as HTML from one list of blocks. All values are text until here, and everything that
// becomes HTML is escaped by `markup`, so that no value can add an element.

export type Block =
  | { readonly kind: 'paragraph'; readonly text: string }
  | { readonly kind: 'facts'; readonly rows: readonly (readonly [label: string, value: string])[] }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'list'; readonly items: readonly string[] }
  | { readonly kind: 'button'; readonly label: string; readonly url: string }
  | { readonly kind: 'note'; readonly text: string };

export interface Frame {
  readonly language: string;
  readonly subject: string;
  readonly provider: string;
  readonly colour: string;
  /** The content id of the logo, if there is one. */
  readonly logo: string | undefined;
  /** Small print: lines, or links with a label. */
  readonly footer: readonly (string | { readonly label: string; readonly url: string })[];
}

export function renderText(blocks: readonly Block[], { footer }: Frame): string {
  const parts = blocks.map((block) => {
    switch (block.kind) {
      case 'facts': {
        const width = Math.max(...block.rows.map(([label]) => label.length)) + 1;
        return block.rows.map(([label, value]) => `${`${label}:`.padEnd(width)} ${value}`).join('\n');
      }
      case 'list':
        return block.items.map((item) => `- ${item}`).join('\n');
      case 'code':
        return `    ${block.text}`;
      case 'button':
        return `${block.label}:\n${block.url}`;
      default:
        return block.text;
    }
  });
  const lines = footer.map((line) => (typeof line === 'string' ? line : `${line.label}: ${line.url}`));
  return `${parts.join('\n\n')}\n\n-- \n${lines.join('\n')}\n`;
}

class Markup {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}
type Content = string | number | Markup | readonly Content[];

/** Builds HTML from a template, in which every value that is not markup itself is escaped. */
function markup(strings: TemplateStringsArray, ...values: readonly Content[]): Markup {
  return new Markup(
    strings.map((text, index) => text + (index < values.length ? contentText(values[index]!) : '')).join(''),
  );
}

function contentText(value: Content): string {
  if (value instanceof Markup) return value.text;
  return Array.isArray(value) ? value.map(contentText).join('') : escapeHtml(String(value));
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character]!);
}

const light = {
  page: '#f2f4f7',
  card: '#ffffff',
  text: '#1d2430',
  dimmed: '#5b6472',
  line: '#dfe3e9',
  code: '#f2f4f7',
};
const dark = { page: '#11151b', card: '#1b212a', text: '#e8ebf0', dimmed: '#a3adba', line: '#333c49', code: '#11151b' };

/** Inline styles are for clients without style sheets; the sheet adds the dark colours and the width of a phone. */
const sheet = new Markup(`
@media (prefers-color-scheme: dark) {
  .page { background: ${dark.page} !important; }
  .card { background: ${dark.card} !important; border-color: ${dark.line} !important; }
  .text { color: ${dark.text} !important; }
  .dimmed { color: ${dark.dimmed} !important; }
  .line { border-color: ${dark.line} !important; }
  .code { background: ${dark.code} !important; border-color: ${dark.line} !important; color: ${dark.text} !important; }
}
@media (max-width: 480px) {
  .outer { padding: 0 !important; }
  .card { border-radius: 0 !important; border-width: 0 !important; }
  .inner { padding: 24px 20px !important; }
  .button { display: block !important; text-align: center !important; }
}
`);
const fonts = "-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif";
const wrap = 'overflow-wrap:anywhere;word-break:break-word';

export function renderHtml(blocks: readonly Block[], frame: Frame): string {
  const { language, subject, provider, colour, logo, footer } = frame;
  const head =
    logo === undefined
      ? markup`<div class="text" style="font-size:18px;font-weight:700;color:${light.text};${wrap}">${provider}</div>`
      : markup`<img src="cid:${logo}" alt="${provider}" style="display:block;max-width:200px;max-height:56px;border:0">`;
  const small = footer.map((line) =>
    typeof line === 'string'
      ? markup`<div>${line}</div>`
      : markup`<div><a href="${line.url}" class="dimmed" style="color:${light.dimmed}">${line.label}</a></div>`,
  );
  return markup`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${subject}</title>
<style>:root { color-scheme: light dark; }${sheet}</style>
</head>
<body class="page" style="margin:0;padding:0;background:${light.page};font-family:${fonts};-webkit-text-size-adjust:100%">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" class="page" style="background:${light.page}"><tr><td class="outer" align="center" style="padding:24px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" class="card" style="max-width:600px;background:${light.card};border:1px solid ${light.line};border-radius:8px;table-layout:fixed"><tr><td style="height:4px;line-height:4px;font-size:0;background:${colour};border-radius:7px 7px 0 0">&nbsp;</td></tr><tr><td class="inner" align="left" style="padding:28px 32px">
${head}
<h1 class="text" style="margin:20px 0 0;font-size:20px;line-height:1.35;color:${light.text};${wrap}">${subject}</h1>
${blocks.map((block) => blockHtml(block, colour))}
<div class="line dimmed" style="margin-top:28px;padding-top:16px;border-top:1px solid ${light.line};font-size:12px;line-height:1.6;color:${light.dimmed};${wrap}">${small}</div>
</td></tr></table>
</td></tr></table>
</body>
</html>
`.text;
}

const textStyle = `font-size:15px;line-height:1.6;color:${light.text};${wrap}`;
const noteStyle = `font-size:13px;line-height:1.6;color:${light.dimmed};${wrap}`;
const cellStyle = `padding:6px 0;border-top:1px solid ${light.line};font-size:14px;line-height:1.5;vertical-align:top;${wrap}`;

function blockHtml(block: Block, colour: string): Markup {
  switch (block.kind) {
    case 'paragraph':
      return markup`<p class="text" style="margin:14px 0 0;${textStyle}">${lines(block.text)}</p>\n`;
    case 'note':
      return markup`<p class="dimmed" style="margin:14px 0 0;${noteStyle}">${lines(block.text)}</p>\n`;
    case 'code':
      return markup`<p class="code" style="margin:18px 0 0;padding:12px 14px;border:1px solid ${light.line};border-radius:6px;background:${light.code};font-family:ui-monospace,Menlo,Consolas,monospace;${textStyle}">${block.text}</p>\n`;
    case 'list':
      return markup`<ul class="text" style="margin:14px 0 0;padding-left:20px;${textStyle}">${block.items.map((item) => markup`<li>${item}</li>`)}</ul>\n`;
    case 'facts': {
      const rows = block.rows.map(
        ([label, value]) =>
          markup`<tr><td class="dimmed line" width="36%" style="${cellStyle};color:${light.dimmed};padding-right:12px">${label}</td><td class="text line" style="${cellStyle};color:${light.text}">${value}</td></tr>`,
      );
      return markup`<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="margin-top:18px;table-layout:fixed">${rows}</table>\n`;
    }
    case 'button':
      return markup`<p style="margin:22px 0 0"><a href="${block.url}" class="button" style="display:inline-block;padding:11px 20px;border-radius:6px;background:${colour};color:${textOn(colour)};font-size:15px;font-weight:600;text-decoration:none">${block.label}</a></p>\n`;
  }
}

function lines(text: string): Content {
  return text.split('\n').map((line, index) => (index === 0 ? markup`${line}` : markup`<br>${line}`));
}

/** Returns the readable one of black and white. */
function textOn(colour: string): string {
  const [red, green, blue] = [1, 3, 5].map((at) => (parseInt(colour.slice(at, at + 2), 16) / 255) ** 2.2);
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue! > 0.36 ? '#101418' : '#ffffff';
}
