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

/** Parses one file: a list, a page of the API, or several named lists. */
export function parseObjects(file: string, text: string): NetboxObject[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Error(`${file} is not valid JSON: ${(error as Error).message}`, { cause: error });
  }
  const page = value as { results?: unknown };
  const list = Array.isArray(value)
    ? value
    : Array.isArray(page?.results)
      ? page.results
      : Object.values(value ?? {}).flat();
  const objects = (list as unknown[]).filter((object) => typeof (object as NetboxObject | null)?.id === 'number');
  if (objects.length === 0 && (list as unknown[]).length > 0) throw new Error(`${file} contains no NetBox objects`);
  return objects as NetboxObject[];
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
