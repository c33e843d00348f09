// What NetBox's REST API and its JSON exports give: lists of objects, whole or page by page, that refer to each other by nested
// short forms. Only what we read of them is here; everything in them may be null.

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

/** Of one file: a list, a page of the API, or several lists by name. */
export function objectsIn(file: string, text: string): NetboxObject[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Error(`${file} is no JSON: ${(error as Error).message}`, { cause: error });
  }
  const page = value as { results?: unknown };
  const list = Array.isArray(value)
    ? value
    : Array.isArray(page?.results)
      ? page.results
      : Object.values(value ?? {}).flat();
  const objects = (list as unknown[]).filter((each) => typeof (each as NetboxObject | null)?.id === 'number');
  if (objects.length === 0 && (list as unknown[]).length > 0) throw new Error(`${file} has no objects of NetBox`);
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

/** By the address that the API gives each object; without one, by what only its kind has. Empty where it is of another kind. */
export function kindOf(object: NetboxObject): string {
  if (object.url !== undefined) return kindsByPath.find(([path]) => object.url!.includes(path))?.[1] ?? '';
  if (object.prefix !== undefined) return 'prefix';
  if (object.address !== undefined) return 'ip-address';
  if (object.a_terminations !== undefined) return 'cable';
  if (object.device_type !== undefined) return 'device';
  if (object.device !== undefined && object.mgmt_only !== undefined) return 'interface';
  return object.u_height !== undefined && object.site !== undefined ? 'rack' : '';
}

/** The interfaces at both ends. */
export function endsOf({ a_terminations = [], b_terminations = [] }: NetboxObject): number[] {
  return [...a_terminations, ...b_terminations].flatMap(({ object_type, object_id }) =>
    object_type === 'dcim.interface' && object_id !== undefined ? [object_id] : [],
  );
}
