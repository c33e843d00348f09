// The DNS records that a key is limited to, in words.
import { isAcmeRule, type ReadonlyDnsRule } from '#contract/shapes/dns-limits.ts';
import { t } from './text.ts';

/** Returns the limits as people read them: `TXT at www in example.com`. */
export function dnsLimitsText(rules: readonly ReadonlyDnsRule[]): string {
  return rules.map(ruleText).join('; ');
}

function ruleText(rule: ReadonlyDnsRule): string {
  const zones = rule.zones?.join(', ');
  const names = rule.names?.join(', ');
  const types = rule.types?.join(', ') ?? t('all types');
  const records = isAcmeRule(rule)
    ? t('ACME challenges')
    : names === undefined
      ? types
      : t('{types} at {names}', { types, names });
  return zones === undefined ? records : t('{records} in {zones}', { records, zones });
}
