// Reading a site file: every fault at once, each with line and column, before anything is touched.
import { LineCounter, parseDocument, isNode, isMap, isPair, type Document, visit } from 'yaml';
import { Site } from '#contract/site.ts';
import type { SecretBox } from '#kernel/secrets.ts';
import type { PlacedFault, SitePath } from './placed-fault.ts';
import { resolveSecrets } from './secrets.ts';
import { senseFaults } from './sense-faults.ts';
import { shapeFaults } from './shape-faults.ts';

export interface SiteFault {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

export class SiteError extends Error {
  readonly faults: readonly SiteFault[];
  constructor(source: string, faults: readonly SiteFault[]) {
    const sorted = faults.toSorted((one, other) => one.line - other.line || one.column - other.column);
    super(sorted.map(({ line, column, message }) => `${source}:${line}:${column}: ${message}`).join('\n'));
    this.name = 'SiteError';
    this.faults = sorted;
  }
}

/** `secrets` opens what is sealed in the file. */
export function readSite(text: string, source: string, secrets?: SecretBox): Site {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: true });
  const at = (path: SitePath, message: string): SiteFault => ({ ...position(document, lines, path), message });
  if (document.errors.length > 0) {
    throw new SiteError(
      source,
      document.errors.map(({ linePos, message }) => ({
        line: linePos?.[0].line ?? 1,
        column: linePos?.[0].col ?? 1,
        message: message.split('\n')[0]!,
      })),
    );
  }
  const value = valueOf(document, lines, source);
  const shape = shapeFaults(Site, value);
  if (shape.length > 0)
    throw new SiteError(
      source,
      shape.map(({ path, message }) => at(path, message)),
    );
  const sense: PlacedFault[] = [];
  const site = resolveSecrets(value as Site, secrets, (path, message) => sense.push([path, message]));
  sense.push(...senseFaults(site));
  if (sense.length > 0)
    throw new SiteError(
      source,
      sense.map(([path, message]) => at(path, message)),
    );
  return site;
}

/** Aliases are resolved only here: one that names nothing, or too many of them, is a fault like others. */
function valueOf(document: Document, lines: LineCounter, source: string): unknown {
  const aliases: SiteFault[] = [];
  visit(document, {
    Alias(_, alias) {
      if (alias.resolve(document) !== undefined) return;
      const { line, col } = lines.linePos(alias.range?.[0] ?? 0);
      aliases.push({ line, column: col, message: `there is no anchor ${alias.source}` });
    },
  });
  if (aliases.length > 0) throw new SiteError(source, aliases);
  try {
    return document.toJS({ maxAliasCount: 100 });
  } catch {
    throw new SiteError(source, [{ line: 1, column: 1, message: 'the file has too many aliases' }]);
  }
}

/** Where the thing at a path stands: its key where it has one, otherwise itself. */
function position(document: Document, lines: LineCounter, path: SitePath): { line: number; column: number } {
  const parent = path.length === 0 ? undefined : document.getIn(path.slice(0, -1), true);
  const pair = isMap(parent)
    ? parent.items.find((item) => isPair(item) && String(item.key) === String(path.at(-1)))
    : undefined;
  const node = pair?.key ?? document.getIn(path, true);
  const offset = isNode(node) ? (node.range?.[0] ?? 0) : 0;
  const { line, col } = lines.linePos(offset);
  return { line, column: col };
}
