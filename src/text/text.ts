// Texts for people. The English text is the key of its translation, so that code stays readable and English needs no
// catalogue. The panel loads the catalogue before it imports any other module, so that these are plain functions, also
// in constants of modules. The command line is in English.

/** By English text: the translation, or its plural forms. By `error:` and a code: the text of that API error. */
export type Catalogue = Readonly<Record<string, string | Readonly<Record<string, string>>>>;
type Placeholder<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholder<Rest>
  : never;
export type Values<Text extends string, Value> = { readonly [Name in Placeholder<Text>]: Value };
type Arguments<Names extends string> = [Names] extends [never] ? [] : [Readonly<Record<Names, string | number>>];

let language = 'en';
let catalogue: Catalogue = {};

export function setCatalogue(ofLanguage: string, texts: Catalogue): void {
  language = ofLanguage;
  catalogue = texts;
}

export const textLanguage = (): string => language;

/** For dates and numbers: the browser's variant of the language, such as en-US, or else the language itself. */
export function locale(): string {
  return globalThis.navigator?.languages?.find((name) => name.split('-')[0] === language) ?? language;
}

export const formatNumber = (value: number): string => value.toLocaleString(locale());

/** `t('Power off {name}?', { name })`. A context after `@@` tells equal English texts apart: `t('Open@@invoice')`. */
export function t<const Text extends string>(text: Text, ...[values]: Arguments<Placeholder<Text>>): string {
  return fill(translate(text), values ?? {});
}

/** `tCount(3, { one: '{count} server', other: '{count} servers' })`. The catalogue has it under the text for `other`. */
export function tCount<const One extends string, const Other extends string>(
  count: number,
  forms: { readonly one: One; readonly other: Other },
  ...[values]: Arguments<Exclude<Placeholder<One | Other>, 'count'>>
): string {
  const translated = catalogue[forms.other];
  const texts: Readonly<Record<string, string>> = typeof translated === 'object' ? translated : forms;
  const text = texts[new Intl.PluralRules(language).select(count)] ?? texts['other'] ?? forms.other;
  return fill(text, { ...values, count: formatNumber(count) });
}

/** For texts of the contract and the server, such as the names of permissions: translated if the catalogue has them. */
export function tData(text: string): string {
  return translate(text);
}

/** Returns our text of an API error: of its message, or else of its code. Without one, the server's message, in English. */
export function tError(code: string, message: string): string {
  const key = [message, `error:${code}`].find((each) => Object.hasOwn(catalogue, each));
  return key === undefined ? message : translate(key);
}

/** Returns the text with its placeholders. A context without a translation of its own has the usual one. */
export function translate(text: string): string {
  const usual = text.split('@@', 1)[0]!;
  const translated = catalogue[text] ?? catalogue[usual];
  return typeof translated === 'string' ? translated : usual;
}

function fill(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replaceAll(/\{(\w+)\}/g, (placeholder, name: string) => String(values[name] ?? placeholder));
}
