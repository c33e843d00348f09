// Signed zones of the built-in name server, as validators see them: delv checks every kind of answer, and BIND's and
// ldns's verifiers the zone that secondaries get.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { MemorySource } from '#test/support/memory-source.ts';
import { type NameServer, startNameServer } from '#drivers/dns/builtin/server.ts';
import type { SigningKey } from '#drivers/dns/builtin/sign-set.ts';
import { dig, rrset } from '#drivers/dns/conformance.ts';
import { dsData } from '#protocols/dns/dnssec/keys.ts';
import { wireToContent } from '#protocols/dns/rdata.ts';
import { rrTypes } from '#protocols/dns/types.ts';
import { dnssecValidators, newSigningKey, validateAnswer, verifyTransfer } from '#test/support/dnssec-validators.ts';
import { needs } from '#test/support/needs.ts';
import { suiteResources } from '#test/support/suite-resources.ts';

const run = promisify(execFile);

describe('a signed zone of the built-in name server', needs(...dnssecValidators), () => {
  const owned = suiteResources();
  const source = new MemorySource();
  let server: NameServer;
  let key: SigningKey;

  const records = () => [
    rrset('signed.test', 'SOA', 'ns1.signed.test hostmaster.signed.test 7 10800 3600 604800 300'),
    rrset('signed.test', 'NS', 'ns1.signed.test', 'ns2.elsewhere.test'),
    rrset('signed.test', 'MX', '10 mail.signed.test'),
    rrset('ns1.signed.test', 'A', '192.0.2.53'),
    rrset('www.signed.test', 'A', '192.0.2.2', '192.0.2.1', '192.0.2.3'),
    rrset('www.signed.test', 'TXT', 'two strings', 'And Capitals'),
    rrset('alias.signed.test', 'CNAME', 'www.signed.test'),
    rrset('leaving.signed.test', 'CNAME', 'www.elsewhere.test'),
    rrset('deep.empty.signed.test', 'A', '192.0.2.4'),
    rrset('*.wild.signed.test', 'A', '192.0.2.5'),
    rrset('*.wild.signed.test', 'MX', '10 mail.signed.test'),
    rrset('exists.wild.signed.test', 'TXT', 'closer'),
    rrset('*.aliases.signed.test', 'CNAME', 'www.signed.test'),
    rrset('moved.signed.test', 'DNAME', 'empty.signed.test'),
    rrset('insecure.signed.test', 'NS', 'ns.insecure.signed.test'),
    rrset('ns.insecure.signed.test', 'A', '192.0.2.6'),
    rrset('child.signed.test', 'NS', 'ns.elsewhere.test'),
    rrset('child.signed.test', 'DS', wireToContent(rrTypes.DS, dsData('child.signed.test', key.dnskey), 'plain')),
  ];

  before(async () => {
    key = await newSigningKey();
    source.put({ name: 'signed.test', rrsets: records() }, { keys: [key], wantsDs: true });
    server = owned.use(
      await startNameServer({
        source,
        address: '127.0.0.1',
        port: 0,
        transferNetworks: ['127.0.0.1'],
        onError: (error) => assert.fail(String(error)),
      }),
    );
  });

  function validate(...question: [string, string]): Promise<string> {
    const [flags, protocol, algorithm, ...publicKey] = wireToContent(rrTypes.DNSKEY, key.dnskey, 'plain').split(' ');
    const anchor = `static-key ${flags} ${protocol} ${algorithm} "${publicKey.join('')}"`;
    return validateAnswer(server, 'signed.test', anchor, question);
  }

  const positive: [string, string][] = [
    ['signed.test', 'SOA'],
    ['signed.test', 'NS'],
    ['signed.test', 'DNSKEY'],
    ['signed.test', 'CDS'],
    ['signed.test', 'CDNSKEY'],
    ['signed.test', 'NSEC'],
    ['www.signed.test', 'A'],
    ['www.signed.test', 'TXT'],
    ['alias.signed.test', 'A'],
    ['any.thing.wild.signed.test', 'A'],
    ['x.aliases.signed.test', 'A'],
    ['deep.moved.signed.test', 'A'],
    ['child.signed.test', 'DS'],
  ];
  it('delv validates answers, also of wildcards, aliases and redirections', async () => {
    const results = await Promise.all(positive.map(async ([name, type]) => [name, type, await validate(name, type)]));
    for (const [name, type, output] of results)
      assert.match(output!, /^; fully validated/m, `${name} ${type}: ${output}`);
  });

  const negative: [string, string][] = [
    ['www.signed.test', 'MX'],
    ['signed.test', 'AAAA'],
    ['missing.signed.test', 'A'],
    ['a.b.c.missing.signed.test', 'A'],
    ['zzz.signed.test', 'A'],
    ['empty.signed.test', 'A'],
    ['exists.wild.signed.test', 'A'],
    ['x.wild.signed.test', 'TXT'],
    ['wild.signed.test', 'A'],
    ['x.exists.wild.signed.test', 'A'],
    ['insecure.signed.test', 'DS'],
  ];
  it('delv validates that names and types do not exist', async () => {
    const results = await Promise.all(negative.map(async ([name, type]) => [name, type, await validate(name, type)]));
    for (const [name, type, output] of results)
      assert.match(output!, /^; negative response, fully validated/m, `${name} ${type}: ${output}`);
  });

  it('delv follows no delegation without proof: one is insecure, the other has a signed DS', async () => {
    const referral = (name: string) =>
      run('dig', [
        '@127.0.0.1',
        '-p',
        String(server.port),
        '+dnssec',
        '+norec',
        '+noall',
        '+authority',
        '+additional',
        name,
        'A',
      ]);
    const { stdout: insecure } = await referral('www.insecure.signed.test');
    assert.match(insecure, /^insecure\.signed\.test\.\s+300\s+IN\s+NSEC\s+leaving\.signed\.test\. NS RRSIG NSEC$/m);
    assert.match(insecure, /^ns\.insecure\.signed\.test\.\s+300\s+IN\s+A\s+192\.0\.2\.6$/m);
    assert.doesNotMatch(insecure, /RRSIG\s+(?:NS|A) /);
    const { stdout: secure } = await referral('www.child.signed.test');
    assert.match(secure, /^child\.signed\.test\.\s+300\s+IN\s+RRSIG\s+DS 13 /m);
    assert.doesNotMatch(secure, /NSEC/);
  });

  it('sends signatures only to those who ask for them, and never claims to have validated anything', async () => {
    assert.deepEqual(await dig(server, 'www.signed.test', 'TXT'), ['"And Capitals"', '"two strings"']);
    assert.equal((await dig(server, 'signed.test', 'DNSKEY')).length, 1);
    const { stdout } = await run('dig', [
      '@127.0.0.1',
      '-p',
      String(server.port),
      '+dnssec',
      '+adflag',
      '+cdflag',
      'www.signed.test',
    ]);
    assert.match(stdout, /;; flags: qr aa rd cd;/);
    assert.match(stdout, /; EDNS: version: 0, flags: do;/);
    assert.match(stdout, /RRSIG\s+A 13 3 /);
  });

  it('is transferred with its signatures and proofs, as BIND and ldns verify', async () => {
    await verifyTransfer(server, 'signed.test');
  });

  it('stays verifiable through changes: new names, a new delegation, deleted names', async () => {
    const changed = [
      ...records().filter(({ name }) => !/^(?:www|ns\.insecure|insecure)\./.test(name)),
      rrset('signed.test', 'SOA', 'ns1.signed.test hostmaster.signed.test 8 10800 3600 604800 300'),
      rrset('new.signed.test', 'AAAA', '2001:db8::1'),
      rrset('exists.new.signed.test', 'NS', 'ns.exists.new.signed.test'),
      rrset('ns.exists.new.signed.test', 'AAAA', '2001:db8::2'),
    ];
    const formerSoa = changed.find(({ type }) => type === rrTypes.SOA);
    source.put(
      { name: 'signed.test', rrsets: changed.filter((set) => set !== formerSoa) },
      { keys: [key], wantsDs: true },
    );
    await verifyTransfer(server, 'signed.test');
    assert.match(await validate('www.signed.test', 'A'), /^; negative response, fully validated/m);
    assert.match(await validate('new.signed.test', 'AAAA'), /^; fully validated/m);
  });
});
