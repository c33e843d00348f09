// The documents, followed by somebody who knows nothing else: every block of commands is run as written, page by page, in the
// lab that the README starts, and must do what the text around it promises. Witnesses are the programs that the pages name.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { parse, stringify } from 'yaml';
import type { Site } from '#contract/site.ts';
import { blocksToRun, commandBlocks, followed, harmless, startBlock } from '#test/support/commands-of-documents.ts';
import { needsRoot } from '#test/support/needs.ts';
import { blocksOf, root, type Block } from '#test/support/pages.ts';
import { projectCopy } from '#test/support/project-copy.ts';
import { walk, type Hands, type Walked } from '#test/support/walk.ts';

/** The commands within sentences, as a page of their own. */
const sentences: Block = {
  page: 'sentences',
  line: 0,
  language: 'sh',
  text: `. data/lab.env\n${harmless.join('\n')}\n`,
};
const contactLine =
  'curl -H "X-API-KEY: $HOSTYARD_KEY" "$HOSTYARD_URL/v2/account/contact" -H \'Idempotency-Key: first\' \\';
const contactBlock = commandBlocks.find(({ text }) => text.startsWith(contactLine));

const hands: Hands = {
  // What the page shows has been applied.
  first: { 'docs/network-boot.md': 'export HOSTYARD_DATA=$HOME/boot; hostyard apply boot.yaml' },
  goOn: { 'hostyard event --follow': '"state":"on"' },
  asked: {
    'hostyard login --url http://127.0.0.1:8080 # asks for your key, unseen': '$(. data/lab.env; echo $HOSTYARD_KEY)',
  },
  told: {
    '. data/lab.env': 'head -c 5 invoice.pdf; curl -L http://localhost:8080/panel http://127.0.0.1:8080/docs',
    [contactLine]: `echo; ${contactBlock?.text}echo; curl -H "X-API-KEY: $HOSTYARD_KEY" "$HOSTYARD_URL/v2/account/contact"`,
    '(umask 077; head -c 32 /dev/urandom | base64 > sealing.key)':
      'stat -c %a sealing.key; base64 -d sealing.key | wc -c',
    '#!/bin/sh': `
      npx node -p '
        const { url, detector } = JSON.parse(fs.readFileSync("data/lab.json"));
        JSON.stringify({ url, ...detector, spool: process.env.HOME + "/spool" })' >/etc/hostyard/detector.json
      echo 'Attack type: udp_flood' | $script 203.0.113.11 incoming 250000 ban
      . data/lab.env
      until hostyard network attacks 1002 | grep active; do sleep 1; done`,
    'hostyard dnsmasq --network 10.0.6.0/24 --range 10.0.6.100,10.0.6.200 --gateway 10.0.6.254 >/etc/dnsmasq.d/hostyard.conf':
      'dnsmasq --test --conf-file=/etc/dnsmasq.d/hostyard.conf; cat /etc/dnsmasq.d/hostyard.conf',
    "hostyard import netbox netbox/*.json --provider 'Example Hosting' > site.yaml": `
      BMC_USERNAME=a BMC_PASSWORD=b SNMP_COMMUNITY=c hostyard apply --check site.yaml`,
  },
};

/** What one who is told to write a file has written, and what a NetBox has answered. */
function filesBefore(): Record<string, string> {
  const shown = blocksOf('docs/network-boot.md').find(({ text }) => text.startsWith('boot:'))!;
  const { boot } = parse(shown.text.replaceAll('…', '')) as Site;
  const provider = { name: 'Example Hosting', currency: { code: 'EUR' } };
  const exported = JSON.parse(readFileSync(join(root, 'test/support/netbox-export.json'), 'utf8')) as object;
  return {
    'boot.yaml': stringify({ provider, boot }),
    ...Object.fromEntries(Object.entries(exported).map(([name, file]) => [`netbox/${name}`, JSON.stringify(file)])),
  };
}

const programs = ['bash', 'curl', 'dig', 'dnsmasq', 'ip', 'ipmitool', 'npm', 'snmpget', 'unshare'];

describe('a newcomer who follows the documents', needsRoot(...programs), () => {
  let walked: Walked;
  before(async () => {
    await using copy = await projectCopy(filesBefore());
    const server = { block: startBlock, ready: 'Hostyard is running.' };
    walked = await walk({ server, pages: [...followed.map(blocksToRun), [sentences]], hands }, copy);
  });

  for (const page of [...followed, sentences.page])
    test(`gets to the end of ${page}`, () => assert.equal(walked.failureOf(page), undefined));

  /** What the one block with this text has printed. */
  const said = (text: string): string => {
    const found = followed.flatMap(blocksToRun).filter((block) => block.text.includes(text));
    assert.equal(found.length, 1, `one block has ${text}`);
    return walked.said(found[0]!);
  };
  const promises = (text: string, ...patterns: RegExp[]): void => {
    for (const pattern of patterns) assert.match(said(text), pattern);
  };

  test('is told by the server what the README shows, and stops it by Ctrl-C', () => {
    const shown = blocksOf('README.md')
      .find(({ language }) => language === 'text')!
      .text.trim();
    const printed = walked.server.said.slice(0, walked.server.said.indexOf('{"level"'));
    assert.match(printed, new RegExp(shown.replaceAll(/[.()]/g, '\\$&').replaceAll('…', '[^\\s,]+')));
    assert.equal(walked.server.status, '0');
  });

  test('reads his account, a bill, its PDF and the panel', () => {
    promises('. data/lab.env', /"email":"ada@example\.net"/, /"status":"Overdue"/, /"vmid":"101"/, /%PDF-/);
    promises('. data/lab.env', /<title>Hostyard<\/title>/, /<title>Hostyard API<\/title>/);
  });

  test('cycles a server, sees its traffic drawn, and the events of it', () => {
    promises('export PATH=', /^1001 +dedicated/m, /^Completed 100%$/m, /95th percentile [0-9.]+ Mbit\/s/);
    // That it went off is told only where it was known to be on.
    promises('export PATH=', /device\.power\.changed +1001 +\{"state":"on"/);
    promises('hostyard login', /^Signed in\./, /^Record Added$/m, /^ +status: Unpaid$/m, /"name":"www\.example\.org"/);
  });

  test('makes one contact by two calls', () => {
    const [first, second, list] = said('Idempotency-Key: first').trim().split('\n');
    assert.match(first!, /"contactid":"[0-9]+"/);
    assert.equal(second, first);
    assert.equal(list!.split('eva@example.net').length - 1, 1);
  });

  test('finds what the API did in the controller, the name server and the switch', () => {
    promises('ipmitool', /^.*Chassis Power is off$/m, /www\.example\.com\.$/m, /\.7\.1 = INTEGER: (?:down\()?2/);
  });

  test('has a site file that is good, a backup that is good, a key that nobody else can read', () => {
    promises('examples/first-site.yaml', /^The file is good\.$/m);
    promises('backup --check', /The sealing key is not in it/, /The backup is good\.$/m);
    promises('sealing.key', /^600\n32$/m);
    promises('--scopes read-only,plan:write', /^hy_[a-z0-9]{12}_\w+$/m);
    promises('operator-add anna', /^anna can sign in with this password/m);
    promises('import netbox', /^The file is good\.$/m);
  });

  test('has an attack reported by the script, and a configuration that dnsmasq takes', () => {
    promises('#!/bin/sh', /203\.0\.113\.11 .* active .*udp_flood/);
    promises('hostyard dnsmasq', /syntax check OK/, /^dhcp-range=.*10\.0\.6\.100,10\.0\.6\.200/m);
  });

  test('is told what he asks within sentences', () => {
    const told = walked.said(sentences);
    for (const pattern of [/^Usage: hostyard \[options\]/m, /^default +yes +http/m, /Nothing was issued\.$/m])
      assert.match(told, pattern);
  });
});
