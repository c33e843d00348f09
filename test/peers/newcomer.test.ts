// The documents, followed by someone who knows nothing else: every block of commands runs as written, page by page, in
// the lab that the README starts, and must do what the text promises. The programs that the pages name are the
// witnesses.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { parse, stringify } from 'yaml';
import type { Site } from '#contract/site/site.ts';
import {
  blocksToRun,
  commandBlocks,
  endlessCommands,
  followedPages,
  harmless,
  startBlock,
} from '#test/support/documented-commands.ts';
import { needsRoot } from '#test/support/needs.ts';
import { blocksOf, root, type Block } from '#test/support/pages.ts';
import { projectCopy } from '#test/support/project-copy.ts';
import { followPages, type ReaderActions, type WalkthroughResult } from '#test/support/walkthrough.ts';

/** The commands within sentences, as a separate page. */
const sentences: Block = {
  page: 'sentences',
  line: 0,
  language: 'sh',
  text: `. data/lab.env\n${harmless.join('\n')}\n`,
};
const contactLine =
  'curl -H "X-API-KEY: $HOSTYARD_KEY" "$HOSTYARD_URL/v2/account/contact" -H \'Idempotency-Key: first\' \\';
const contactBlock = commandBlocks.find(({ text }) => text.startsWith(contactLine));

const hands: ReaderActions = {
  // The example of the page has been applied; the reader has signed in as staff.
  first: {
    'docs/guides/network-boot.md': 'export HOSTYARD_DATA=$HOME/boot; hostyard apply boot.yaml',
    'docs/guides/customers.md':
      '. data/lab.env; export HOSTYARD_KEY=$(sed -n \'/"operator"/,/}/s/.*"key": "\\(.*\\)".*/\\1/p\' data/lab.json)',
  },
  goOn: endlessCommands,
  typedInput: {
    'hostyard login --url http://127.0.0.1:8080 # prompts for your key': '$(. data/lab.env; echo $HOSTYARD_KEY)',
  },
  actionsAfter: {
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

/** Files that a reader had to write, and NetBox's responses. */
function filesBefore(): Record<string, string> {
  const example = blocksOf('docs/guides/network-boot.md').find(({ text }) => text.startsWith('boot:'))!;
  const { boot } = parse(example.text.replaceAll('…', '')) as Site;
  const provider = { name: 'Example Hosting', currency: { code: 'EUR' } };
  const exported = JSON.parse(readFileSync(join(root, 'test/support/netbox-export.json'), 'utf8')) as object;
  return {
    'boot.yaml': stringify({ provider, boot }),
    ...Object.fromEntries(Object.entries(exported).map(([name, file]) => [`netbox/${name}`, JSON.stringify(file)])),
  };
}

const programs = ['bash', 'curl', 'dig', 'dnsmasq', 'ip', 'ipmitool', 'npm', 'snmpget', 'unshare'];

describe('a newcomer who follows the documents', needsRoot(...programs), () => {
  let walkthrough: WalkthroughResult;
  before(async () => {
    await using copy = await projectCopy(filesBefore());
    const server = { block: startBlock, ready: 'Hostyard is running.' };
    walkthrough = await followPages({ server, pages: [...followedPages.map(blocksToRun), [sentences]], hands }, copy);
  });

  for (const page of [...followedPages, sentences.page])
    test(`reaches the end of ${page}`, () => assert.equal(walkthrough.failureOf(page), undefined));

  /** Returns what the one block with this text printed. */
  const outputOfBlock = (text: string): string => {
    const blocks = followedPages.flatMap(blocksToRun).filter((block) => block.text.includes(text));
    assert.equal(blocks.length, 1, `one block contains ${text}`);
    return walkthrough.outputOf(blocks[0]!);
  };
  const assertPrints = (text: string, ...patterns: RegExp[]): void => {
    for (const pattern of patterns) assert.match(outputOfBlock(text), pattern);
  };

  test('sees the output that the README shows, and stops the server with Ctrl-C', () => {
    const example = blocksOf('README.md')
      .find(({ language }) => language === 'text')!
      .text.trim();
    const printed = walkthrough.server.output.slice(0, walkthrough.server.output.indexOf('{"level"'));
    assert.match(printed, new RegExp(example.replaceAll(/[.()]/g, '\\$&').replaceAll('…', '[^\\s,]+')));
    assert.equal(walkthrough.server.status, '0');
  });

  test('reads their account, an invoice, its PDF and the panel', () => {
    assertPrints('. data/lab.env', /"email":"ada@example\.net"/, /"status":"Overdue"/, /%PDF-/);
    assertPrints('. data/lab.env', /"vmid":"101","hostname":"vps1\.example\.net","status":"Online"/);
    assertPrints('. data/lab.env', /<title>Hostyard<\/title>/, /<title>Hostyard API<\/title>/);
  });

  test('cycles a server, sees its traffic graph, and its events', () => {
    assertPrints('export PATH=', /^1001 +dedicated/m, /^Completed 100%$/m, /95th percentile [0-9.]+ Mbit\/s/);
    // Going off is reported only if it was known to be on.
    assertPrints('export PATH=', /web1\.example\.net.*[Pp]owered on/);
    // The event stream is interrupted as soon as it shows the power, so later events may be missing.
    assertPrints('hostyard login', /^Signed in\./, /^Record Added$/m, /^ +status: Unpaid$/m);
  });

  test('creates one contact by two calls', () => {
    const [first, second, list] = outputOfBlock('Idempotency-Key: first').trim().split('\n');
    assert.match(first!, /"contactid":"[0-9]+"/);
    assert.equal(second, first);
    assert.equal(list!.split('eva@example.net').length - 1, 1);
  });

  test('adds a customer with a virtual machine, and sees their invoice', () => {
    assertPrints('hostyard operator account create', /^3$/m);
    assertPrints('--type vps', /^service +[0-9]+$/m, /v1\.example\.org/);
  });

  test('sees what the API did in the BMC, the name server and the switch', () => {
    assertPrints('ipmitool', /^.*Chassis Power is off$/m, /www\.example\.com\.$/m, /\.7\.1 = INTEGER: (?:down\()?2/);
  });

  test('has a valid site file, a valid backup, and a key that only its owner can read', () => {
    assertPrints('examples/first-site.yaml', /^The file is valid\.$/m);
    assertPrints('backup --check', /It does not contain the sealing key/, /The backup is intact\.$/m);
    assertPrints('sealing.key', /^600\n32$/m);
    assertPrints('--scopes read-only,plan:write', /^hy_[a-z0-9]{12}_\w+$/m);
    assertPrints('operator-add anna', /^anna can sign in with this password/m);
    assertPrints('import netbox', /^The file is valid\.$/m);
  });

  test('verifies the certificate of their server', () => {
    assertPrints('hostyard certificate verify', /^Valid: [\w-]+ signed this\.$/m, /^Server +dc01r01ds01$/m);
  });

  test('has an attack reported by the script, and a configuration that dnsmasq accepts', () => {
    assertPrints('#!/bin/sh', /203\.0\.113\.11 .* active .*udp_flood/);
    assertPrints('hostyard dnsmasq', /syntax check OK/, /^dhcp-range=.*10\.0\.6\.100,10\.0\.6\.200/m);
  });

  test('can run the commands within sentences', () => {
    const output = walkthrough.outputOf(sentences);
    for (const pattern of [/^Usage: hostyard \[options\]/m, /^default +yes +http/m, /Nothing was issued\.$/m])
      assert.match(output, pattern);
  });
});
