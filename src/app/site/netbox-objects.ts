// Objects as NetBox's REST API and JSON exports represent them, limited to the fields we read. Lists may be complete or
// paginated, references are nested short forms, and any field may be null.

interface Reference {
  readonly id?: number;
  readonly name?: string;
  readonly slug?: string;
}
interface Interface extends Reference {
  readonly device?: Reference | null;
}
export interface NetboxObject {
  readonly id: number;
  readonly url?: string;
  readonly display?: string;
  readonly label?: string;
  readonly name?: string;
  readonly role?: Reference | null;
  readonly device_role?: Reference | null;
  readonly device_type?: (Reference & { readonly u_height?: number }) | null;
  readonly serial?: string | null;
  readonly site?: Reference | null;
  readonly location?: Reference | null;
  readonly rack?: Reference | null;
  readonly position?: number | null;
  readonly u_height?: number | null;
  readonly primary_ip?: { readonly address?: string } | null;
  readonly primary_ip4?: { readonly address?: string } | null;
  readonly oob_ip?: { readonly address?: string } | null;
  readonly device?: Reference | null;
  readonly mgmt_only?: boolean;
  readonly mac_address?: string | null;
  readonly custom_fields?: Readonly<Record<string, unknown>> | null;
  readonly a_terminations?: readonly Termination[];
  readonly b_terminations?: readonly Termination[];
  readonly prefix?: string;
  readonly status?: { readonly value?: string; readonly label?: string } | null;
  readonly is_pool?: boolean;
  readonly vrf?: Reference | null;
  readonly address?: string;
  readonly assigned_object?: Interface | null;
}
interface Termination {
  readonly object_type?: string;
  readonly object_id?: number;
}

interface Page {
  readonly file: string;
  readonly results: readonly NetboxObject[];
  readonly count?: number | null;
  readonly next?: string | null;
  readonly previous?: string | null;
}

/** Each file is a list, a page of the API, or several of them by name. Throws if a list is not complete. */
export function readObjects(files: readonly (readonly [name: string, text: string])[]): NetboxObject[] {
  const pages = files.flatMap(([file, text]) => {
    const found = pagesOf(file, parseJson(file, text));
    if (found.length === 0) throw new Error(`${file} has no list of NetBox objects`);
    return found;
  });
  for (const list of Map.groupBy(pages, listOf).values()) requireComplete(list);
  return pages.flatMap(({ results }) => results);
}

function parseJson(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`${file} is not valid JSON: ${(error as Error).message}`, { cause: error });
  }
}

function pagesOf(file: string, value: unknown): Page[] {
  if (typeof value !== 'object' || value === null) return [];
  if (!Array.isArray(value))
    return 'results' in value && Array.isArray(value.results)
      ? [{ ...value, file, results: requireObjects(file, value.results) }]
      : Object.values(value).flatMap((named) => pagesOf(file, named));
  return [{ file, results: requireObjects(file, value) }];
}

function requireObjects(file: string, list: readonly unknown[]): NetboxObject[] {
  if (list.some((object) => typeof (object as NetboxObject | null)?.id !== 'number'))
    throw new Error(`${file} contains something other than NetBox objects`);
  return list as NetboxObject[];
}

/** Returns what the pages of one list have in common: the link to the next or previous page, without the position. */
function listOf(page: Page): string | Page {
  const link = page.next ?? page.previous;
  if (link == null) return page;
  const { pathname, searchParams } = new URL(link);
  for (const position of ['limit', 'offset', 'start']) searchParams.delete(position);
  return `${pathname}?${searchParams.toString()}`;
}

/** NetBox limits the size of a page, even if a caller asks for everything. */
function requireComplete(list: readonly Page[]): void {
  const { file, next, previous } = list[0]!;
  const advice = 'Pass all pages of the list.';
  const objects = new Set(list.flatMap(({ results }) => results.map(({ id }) => id))).size;
  const count = Math.max(...list.map((page) => page.count ?? 0));
  const link = next ?? previous;
  const name = link == null ? 'its list' : new URL(link).pathname;
  if (objects < count) throw new Error(`${file}: ${objects} of ${count} objects of ${name} are here. ${advice}`);
  if (list.every((page) => page.next != null)) throw new Error(`${file}: the page after it is missing. ${advice}`);
}

const kindsByPath: readonly (readonly [path: string, kind: string])[] = [
  ['/dcim/devices/', 'device'],
  ['/dcim/racks/', 'rack'],
  ['/dcim/interfaces/', 'interface'],
  ['/dcim/cables/', 'cable'],
  ['/ipam/prefixes/', 'prefix'],
  ['/ipam/ip-addresses/', 'ip-address'],
];

/** Returns the kind by the object's API URL or, without one, by its characteristic fields; empty if unknown. */
export function kindOf(object: NetboxObject): string {
  if (object.url !== undefined) return kindsByPath.find(([path]) => object.url!.includes(path))?.[1] ?? '';
  if (object.prefix !== undefined) return 'prefix';
  if (object.address !== undefined) return 'ip-address';
  if (object.a_terminations !== undefined) return 'cable';
  if (object.device_type !== undefined) return 'device';
  if (object.device !== undefined && object.mgmt_only !== undefined) return 'interface';
  return object.u_height !== undefined && object.site !== undefined ? 'rack' : '';
}

/** Returns the ids of the interfaces at both ends. */
export function cableEnds({ a_terminations = [], b_terminations = [] }: NetboxObject): number[] {
  return [...a_terminations, ...b_terminations].flatMap(({ object_type, object_id }) =>
    object_type === 'dcim.interface' && object_id !== undefined ? [object_id] : [],
  );
}
