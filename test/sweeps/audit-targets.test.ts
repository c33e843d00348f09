// The audit log names the target of a call by the parameters that its endpoint declares. Entries must stay comparable over
// releases, so the declarations are checked against the list of names that earlier releases applied to every endpoint, plus
// `device`, which they left out, and `accounts`, `step`, `netblock`, `zone`, `fqdn`, `issuer`, `plan`, `coupon`, `invoice`, `charge`, `file`,
// `outcome`, `entry`, `backup`, `member` and `machine`, which are newer.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Type } from 'typebox';
import { servedApis } from '#contract/contract.ts';
import { effectOf, endpoint, type Endpoint } from '#contract/endpoint.ts';
import * as p from '#contract/parameters.ts';

const earlierNames = [
  'service',
  'server',
  'vmid',
  'device',
  'domain',
  'domain_id',
  'record',
  'id',
  'name',
  'ip',
  'type',
  'account',
  'accounts',
  'step',
  'reason',
  'license',
  'image',
  'value',
  'template',
  'username',
  'action',
  'request',
  'netblock',
  'zone',
  'fqdn',
  'issuer',
  'plan',
  'coupon',
  'invoice',
  'charge',
  'file',
  'outcome',
  'entry',
  'enabled',
  'target',
  'member',
  'mode',
  'backup',
  'protection',
  'machine',
];

const endpoints = Object.entries(servedApis).flatMap(([api, declarations]) =>
  Object.entries<Endpoint>(declarations).map(([name, declaration]) => ({ name: `${api}.${name}`, declaration })),
);

describe('audit targets', () => {
  for (const { name, declaration } of endpoints) {
    test(`${name} has the target that earlier releases recorded`, () => {
      const expected =
        effectOf(declaration) === 'none' ? [] : earlierNames.filter((name) => name in declaration.params);
      assert.deepEqual(declaration.target ?? [], expected);
    });
  }

  test('a secret cannot be declared as a target', () => {
    const declaration = {
      method: 'POST',
      path: '/v2/example',
      tag: 'key',
      access: 'any',
      effect: 'stored',
      summary: 'Example',
      params: {
        name: p.Text(),
        password: p.Password,
        newpassword: p.NewPassword,
        current: p.optional(p.CurrentPassword),
        code: p.optional(p.OneTimeCode),
      },
      result: Type.String(),
    } as const;
    endpoint({ ...declaration, target: ['name'] });
    // @ts-expect-error A password is a secret.
    endpoint({ ...declaration, target: ['password'] });
    // @ts-expect-error The hash of a password is a secret.
    endpoint({ ...declaration, target: ['newpassword'] });
    // @ts-expect-error The outcome of a password check is a secret.
    endpoint({ ...declaration, target: ['current'] });
    // @ts-expect-error A one-time code is a secret.
    endpoint({ ...declaration, target: ['code'] });
    // @ts-expect-error A target is a parameter.
    endpoint({ ...declaration, target: ['service'] });
  });
});
