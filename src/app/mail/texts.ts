// The texts of messages, in a file per language that a translator can edit. A provider's own folder overrides single
// texts and adds languages; what a language lacks is in English.
import { readFile, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Type, type Static } from 'typebox';
import { Compile } from 'typebox/schema';
import { parse } from 'yaml';
import { mailLanguages } from '#contract/mail/kinds.ts';
import { BoundedMap } from '#lib/bounded-map.ts';

const Texts = Type.Record(Type.String(), Type.String({ maxLength: 20_000 }));
const MessageTexts = Type.Object(
  {
    subject: Type.Optional(Type.String({ maxLength: 500 })),
    text: Type.Optional(Type.String({ maxLength: 20_000 })),
    button: Type.Optional(Type.String({ maxLength: 200 })),
    note: Type.Optional(Type.String({ maxLength: 2000 })),
  },
  { additionalProperties: false },
);
const CatalogueFile = Type.Object(
  {
    common: Type.Optional(Texts),
    labels: Type.Optional(Texts),
    words: Type.Optional(Texts),
    messages: Type.Optional(Type.Record(Type.String(), MessageTexts)),
  },
  { additionalProperties: false },
);
type CatalogueFile = Static<typeof CatalogueFile>;
export type Catalogue = Readonly<Required<CatalogueFile>>;

const builtInFolder = fileURLToPath(new URL('../../../assets/mail/', import.meta.url));
const fallback = 'en';
const fileName = /^([a-z]{2})\.yaml$/;
let validator: { Check(value: unknown): boolean } | undefined;
/** One object, so that a merged catalogue is recognized as unchanged. */
const noTexts: CatalogueFile = {};

/** Parsed files by path; a file of a provider is read again once it has changed. */
const files = new BoundedMap<string, { readonly changedAt: number; readonly catalogue: CatalogueFile }>(64);

/** Throws if the file is not a catalogue. Returns an empty one if there is no file. */
async function readCatalogue(path: string): Promise<CatalogueFile> {
  const changedAt = await stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw error;
    },
  );
  if (changedAt === undefined) return noTexts;
  const known = files.get(path);
  if (known?.changedAt === changedAt) return known.catalogue;
  const value: unknown = parse(await readFile(path, 'utf8'), { maxAliasCount: 0 });
  validator ??= Compile(CatalogueFile);
  if (!validator.Check(value)) throw new Error(`${path} must have only common, labels, words and messages with texts`);
  const catalogue = value as CatalogueFile;
  files.set(path, { changedAt, catalogue });
  return catalogue;
}

export interface LoadedTexts {
  readonly catalogue: Catalogue;
  /** Why the provider's own texts could not be used. */
  readonly problems: readonly string[];
}

export async function loadTexts(language: string, folder: string | undefined): Promise<LoadedTexts> {
  const problems: string[] = [];
  const parts: CatalogueFile[] = [];
  for (const name of new Set([fallback, language])) {
    parts.push(await readCatalogue(join(builtInFolder, `${name}.yaml`)));
    if (folder === undefined) continue;
    try {
      parts.push(await readCatalogue(join(folder, `${name}.yaml`)));
    } catch (error) {
      problems.push((error as Error).message);
    }
  }
  const name = `${language} ${folder ?? ''}`;
  const known = merged.get(name);
  if (known?.parts.length === parts.length && known.parts.every((part, index) => part === parts[index]))
    return { catalogue: known.catalogue, problems };
  const catalogue = parts.reduce(mergeCatalogues, emptyCatalogue);
  merged.set(name, { parts, catalogue });
  return { catalogue, problems };
}

/** Catalogues by language and folder, with the files that they were made of. */
const merged = new BoundedMap<string, { readonly parts: readonly object[]; readonly catalogue: Catalogue }>(64);

const emptyCatalogue: Catalogue = { common: {}, labels: {}, words: {}, messages: {} };

function mergeCatalogues(base: Catalogue, over: CatalogueFile): Catalogue {
  const messages = { ...base.messages };
  for (const [kind, texts] of Object.entries(over.messages ?? {})) messages[kind] = { ...messages[kind], ...texts };
  return {
    common: { ...base.common, ...over.common },
    labels: { ...base.labels, ...over.labels },
    words: { ...base.words, ...over.words },
    messages,
  };
}

/** Returns the built-in languages and those of the provider's folder. */
export async function listLanguages(folder: string | undefined): Promise<string[]> {
  const names = folder === undefined ? [] : await readdir(folder).catch(() => []);
  const added = names.flatMap((name) => fileName.exec(name)?.[1] ?? []);
  return [...new Set([...mailLanguages, ...added])];
}
