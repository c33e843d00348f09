// The limits of a key to certain DNS records: which zones and record sets it may read and write. `change.ts` enforces
// them for every change of a zone, and readers omit what is outside of them.
import type { DnsRule } from '#contract/shapes/dns-limits.ts';
import { ApiError } from '#lib/api-error.ts';
import { isWithin, parseName, relativeName, splitLabels } from '#protocols/dns/name.ts';
import { typeName, typeNumber } from '#protocols/dns/types.ts';

/** The rules of a key, of which one must allow a change. Undefined, and never empty, for a key without limits. */
export type DnsLimits = readonly DnsRule[] | undefined;

export interface SetName {
  readonly name: string;
  readonly type: number;
}

const anyLabel = '*';
const anyLabels = '**';

/** Returns true if the key may see that the zone exists. */
export function isZoneVisible(limits: DnsLimits, zone: string): boolean {
  return limits === undefined || limits.some(({ zones }) => zones?.includes(zone) ?? true);
}

/** Returns the names of the only zones that the key may see; undefined if it may see all. */
export function visibleZoneNames(limits: DnsLimits): string[] | undefined {
  if (limits === undefined || limits.some(({ zones }) => zones === undefined)) return undefined;
  return [...new Set(limits.flatMap(({ zones = [] }) => zones))];
}

/** Returns true if the key may read every record of the zone. */
export function isWholeZoneVisible(limits: DnsLimits, zone: string): boolean {
  const allowsAll = ({ zones, names, types }: DnsRule): boolean =>
    (zones?.includes(zone) ?? true) && (names?.includes(anyLabels) ?? true) && types === undefined;
  return limits === undefined || limits.some(allowsAll);
}

/** Returns a predicate for the record sets of a zone that the key may read and write. */
export function visibleSets(limits: DnsLimits, zone: string): (set: SetName) => boolean {
  if (limits === undefined) return () => true;
  const rules = limits
    .filter(({ zones }) => zones?.includes(zone) ?? true)
    .map(({ names, types }) => ({
      patterns: names?.map(parsePattern),
      types: types && new Set(types.map(typeNumber)),
    }));
  return ({ name, type }) => {
    if (!isWithin(name, zone)) return false;
    const labels = name === zone ? [] : splitLabels(relativeName(name, zone));
    return rules.some(
      (rule) => (rule.types?.has(type) ?? true) && (rule.patterns?.some((pattern) => matches(pattern, labels)) ?? true),
    );
  };
}

/** Throws unless the key may write all of these sets. */
export function requireWritable(limits: DnsLimits, zone: string, sets: Iterable<SetName>): void {
  const isVisible = visibleSets(limits, zone);
  for (const set of sets) if (!isVisible(set)) throw limited(`${typeName(set.type)} at ${set.name} is not one of them`);
}

/** Throws unless the key may make all of these changes, without naming records that it may not see. */
export function requireEditable(
  limits: DnsLimits,
  zone: string,
  edits: readonly { readonly before?: SetName; readonly after?: SetName }[],
): void {
  if (limits === undefined) return;
  const isVisible = visibleSets(limits, zone);
  if (!edits.every(({ before, after }) => [before, after].every((set) => set === undefined || isVisible(set))))
    throw limited('this change affects others');
}

function limited(reason: string): ApiError {
  return new ApiError('scope_missing', { message: `Your key is limited to certain DNS records, and ${reason}.` });
}

/** Throws if the key is limited: it changes records, but neither creates nor deletes nor signs zones. */
export function requireUnlimited(limits: DnsLimits, reason = 'this affects whole zones'): void {
  if (limits !== undefined) throw limited(reason);
}

/** Returns the limits in canonical form. */
export function readDnsLimits(rules: readonly DnsRule[]): DnsLimits {
  if (rules.length === 0) return undefined;
  return rules.map(({ zones, names, types }) => ({
    ...(zones && { zones: zones.map((zone) => parseName(zone)) }),
    ...(names && { names: names.map((name) => name.toLowerCase()) }),
    ...(types && { types }),
  }));
}

/** Returns the limits of a key that another key creates or changes: at least those of that other key. */
export function grantLimits(callers: DnsLimits, requested: DnsLimits): DnsLimits {
  if (requested === undefined) return callers;
  requireContained(callers, requested);
  return requested;
}

/** Throws if a key with the inner limits can do more than one with the outer. */
export function requireContained(outer: DnsLimits, inner: DnsLimits): void {
  if (!isContained(outer, inner)) throw limited('cannot grant access to others');
}

/** Returns true if a key with the inner limits can do no more than one with the outer. */
export function isContained(outer: DnsLimits, inner: DnsLimits): boolean {
  if (outer === undefined) return true;
  return inner?.every((rule) => outer.some((outerRule) => containsRule(outerRule, rule))) ?? false;
}

function containsRule(outer: DnsRule, inner: DnsRule): boolean {
  return (
    containsAll(outer.zones, inner.zones, (left, right) => left === right) &&
    containsAll(outer.types, inner.types, (left, right) => left === right) &&
    containsAll(outer.names, inner.names, (left, right) => containsPattern(parsePattern(left), parsePattern(right)))
  );
}

function containsAll(
  outer: readonly string[] | undefined,
  inner: readonly string[] | undefined,
  contains: (outer: string, inner: string) => boolean,
): boolean {
  if (outer === undefined) return true;
  return inner?.every((value) => outer.some((candidate) => contains(candidate, value))) ?? false;
}

/** Labels, with any number of further labels between the head and the tail if there is a tail. */
interface NamePattern {
  readonly head: readonly string[];
  readonly tail?: readonly string[];
}

function parsePattern(text: string): NamePattern {
  const labels = text === '@' ? [] : text.split('.');
  const gap = labels.indexOf(anyLabels);
  return gap < 0 ? { head: labels } : { head: labels.slice(0, gap), tail: labels.slice(gap + 1) };
}

function matches(pattern: NamePattern, labels: readonly string[]): boolean {
  return containsPattern(pattern, { head: labels });
}

/** Returns true if every name that matches the inner pattern matches the outer. A name is a pattern without `*`. */
function containsPattern(outer: NamePattern, inner: NamePattern): boolean {
  const outerTail = outer.tail ?? [];
  const innerTail = inner.tail ?? [];
  const surplus = inner.head.length + innerTail.length - outer.head.length - outerTail.length;
  if (outer.tail === undefined ? inner.tail !== undefined || surplus !== 0 : surplus < 0) return false;
  // At a place where the inner pattern allows any number of labels, any label can be.
  const [fromStart, fromEnd] =
    inner.tail === undefined ? [inner.head, inner.head.toReversed()] : [inner.head, innerTail.toReversed()];
  const allows = (label: string, innerLabel = anyLabel): boolean => label === anyLabel || label === innerLabel;
  return (
    outer.head.every((label, index) => allows(label, fromStart[index])) &&
    outerTail.toReversed().every((label, index) => allows(label, fromEnd[index]))
  );
}
