// Options that limit a key to certain DNS records.
import type { Command } from 'commander';
import { acmeRule, type DnsRule } from '#contract/shapes/dns-limits.ts';
import { collectList } from './command.ts';

export interface DnsLimitOptions {
  readonly dnsZone?: string[];
  readonly dnsName?: string[];
  readonly dnsType?: string[];
  readonly acme?: string[];
}

export function withDnsLimits(command: Command): Command {
  return command
    .option('--dns-zone <zones>', 'Limit it to DNS records in these zones, separated by commas', collectList)
    .option('--dns-name <patterns>', 'Limit it to DNS records with these names, such as www or *.lab.**', collectList)
    .option('--dns-type <types>', 'Limit it to DNS records of these types, separated by commas', collectList)
    .option('--acme <zones>', 'Limit it to _acme-challenge TXT records in these zones', collectList);
}

/** Returns the parameter of the API, if one of the options is given. */
export function dnsLimitsInput({ dnsZone: zones, dnsName: names, dnsType, acme }: DnsLimitOptions): {
  dns?: DnsRule[];
} {
  const types = dnsType?.map((type) => type.toUpperCase()) as DnsRule['types'];
  const rule = { ...(zones && { zones }), ...(names && { names }), ...(types && { types }) };
  const rules = [...(Object.keys(rule).length > 0 ? [rule] : []), ...(acme ? [acmeRule(acme)] : [])];
  return rules.length > 0 ? { dns: rules } : {};
}
