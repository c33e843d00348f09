// The two calls of lego's `httpreq` provider, which other ACME clients speak too: each adds or removes one TXT record
// and leaves those of other clients alone.
import { Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import { equipmentErrors } from '../errors.ts';
import * as p from '../parameters.ts';

const challengeEndpoint = {
  tag: 'acme',
  access: 'dns:write',
  effect: 'stored',
  publishes: true,
  bareStatus: 204,
  method: 'POST',
  description:
    'With `fqdn` and `value`, or in RAW mode with `domain` and `keyAuth`. The record is in the closest zone of the account.',
  params: {
    fqdn: p.optional(p.ChallengeName),
    value: p.optional(p.Text()),
    domain: p.optional(p.Text()),
    keyAuth: p.optional(p.Text({ max: 1024 })),
  },
  target: ['domain', 'value', 'fqdn'],
  result: Type.Null(),
  errors: ['state_conflict', ...equipmentErrors.nameserver],
} as const;

export const httpreqAutomation = {
  acmePresent: endpoint({ ...challengeEndpoint, path: '/acme/present', summary: 'Publish an ACME challenge' }),
  acmeCleanup: endpoint({ ...challengeEndpoint, path: '/acme/cleanup', summary: 'Remove an ACME challenge' }),
} as const;
