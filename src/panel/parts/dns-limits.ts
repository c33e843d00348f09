// The limits of a key to certain DNS records, as a form edits them: one rule, of which most keys need no more.
import { acmeRule, isAcmeRule, type DnsRule } from '#contract/shapes/dns-limits.ts';
import type { Key } from '#sdk/v2.ts';

export interface DnsLimitsValue {
  /** `several` keeps rules that this form cannot show. */
  readonly mode: 'all' | 'acme' | 'custom' | 'several';
  readonly zones: readonly string[];
  readonly names: readonly string[];
  readonly types: readonly string[];
}

export function limitsValue(rules: Key['dns']): DnsLimitsValue {
  const [rule, ...others] = rules;
  const { zones = [], names = [], types = [] } = rule ?? {};
  const mode = rule === undefined ? 'all' : others.length > 0 ? 'several' : isAcmeRule(rule) ? 'acme' : 'custom';
  return { mode, zones, names, types };
}

/** Returns the parameter of the API; undefined to leave the limits unchanged. */
export function limitsInput({ mode, zones, names, types }: DnsLimitsValue): DnsRule[] | undefined {
  if (mode === 'several') return undefined;
  if (mode === 'acme') return [acmeRule(zones.length > 0 ? zones : undefined)];
  const rule = {
    ...(zones.length > 0 && { zones: [...zones] }),
    ...(names.length > 0 && { names: [...names] }),
    ...(types.length > 0 && { types: [...types] as NonNullable<DnsRule['types']> }),
  };
  return mode === 'all' || Object.keys(rule).length === 0 ? [] : [rule];
}
