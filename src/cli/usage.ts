// A command's usage string is the only declaration of its arguments: the type of the string gives the handler their names, so
// that a mismatch does not compile.

/** `import <zone> <file>` gives `{ zone: string; file: string }`. `[name]` is optional, `<name...>` is a list. */
export type ArgumentsOf<Usage extends string> = Usage extends `${infer Word} ${infer Rest}`
  ? ArgumentOf<Word> & ArgumentsOf<Rest>
  : ArgumentOf<Usage>;

type ArgumentOf<Word extends string> = Word extends `<${infer Name}...>` | `[${infer Name}...]`
  ? { readonly [_ in Name]: readonly string[] }
  : Word extends `<${infer Name}>`
    ? { readonly [_ in Name]: string }
    : Word extends `[${infer Name}]`
      ? { readonly [_ in Name]: string | undefined }
      : unknown;
