// Every decision of the specification has its counterpart in docs/reference/api-decisions.md and a test that covers it.
// An entry starts with a digest of its decision: after an amendment it fails until someone has looked at it again.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { pageText, root } from '#test/support/pages.ts';
import { needsSpecification, readSpecification } from '#test/support/specification.ts';

/** A phrase of the page, and tests as `file: title`; a part of the title is enough. */
type Counterpart = readonly [phrase: string, test: string, ...tests: string[]];

const counterparts: Readonly<Record<string, Counterpart>> = {
  '919f4ea3 Key on the wire': [
    '**Key.** Send the key in `X-API-KEY`',
    'test/sweeps/keys.test.ts: accepts no key in the URL',
    'test/sweeps/keys.test.ts: accepts a bearer token, except in legacy',
  ],
  'd0688853 Body': [
    '**Parameters** can be in the path, the query or the body',
    'test/sweeps/parameters.test.ts: accepts its parameters, all of them and only the required ones, in every encoding',
    'test/sweeps/parameters.test.ts: rejects one name with two values, and accepts one value twice',
  ],
  'd48fbcff Legacy verbs': [
    'A legacy path that is documented only as GET also accepts POST',
    'test/sweeps/bodies.test.ts: of the legacy API that has only GET accepts POST as well',
  ],
  '962a9951 Optional path parameter': [
    'You can omit an optional path parameter',
    'test/sweeps/parameters.test.ts: accepts its optional path parameter in the path, elsewhere, or not at all',
  ],
  '832ad0b7 results': [
    '`results` is the length of an array',
    'test/sweeps/answers.test.ts: returns its declared shape with nothing added, and counts its results',
    'test/sweeps/contract.test.ts: return `results` as a string in the three places where callers expect it',
  ],
  'c03a8add Success': [
    'Success is always 200',
    'test/sweeps/answers.test.ts: returns its declared shape with nothing added, and counts its results',
  ],
  '8455a240 Failure': [
    'errors follow RFC 9457',
    'test/sweeps/bodies.test.ts: returns errors as RFC 9457 on request',
    'test/sweeps/fuzz.test.ts: gets a documented response and never an internal error',
  ],
  '3e7e440e Status numbers': [
    'Errors have a matching status',
    'test/sweeps/specification.test.ts: agree on the statuses of errors',
    'test/sweeps/crossing.test.ts: get identical bytes for the other',
    'test/sweeps/bodies.test.ts: responds 405 with its methods to any other',
    'test/sweeps/bodies.test.ts: says 413 to twice as much as it accepts',
    'test/sweeps/bodies.test.ts: responds 415 to a body of another type',
  ],
  '01f2993c Unknown parameters': [
    '**Unknown parameters** are rejected by name on version 2',
    'test/sweeps/parameters.test.ts: rejects unknown parameters by name, except for legacy and DNS tools, which may send them',
  ],
  'a7d71ddb Ids': [
    '**Ids** are digits',
    'test/sweeps/parameters.test.ts: names a value of the wrong type',
    'test/api/account.test.ts: rejects a status together with an invoice, and an unknown status',
  ],
  '5b27b435 Lengths': [
    '**Maximum lengths** in characters',
    'test/sweeps/owasp.test.ts: API4: everything that a caller can make longer has a maximum length',
  ],
  'd1791560 Patterns': [
    'The patterns of the public documentation apply',
    'test/sweeps/patterns.test.ts: of the source and the contract take time in proportion to their input',
    'test/api/contacts.test.ts: with names that would make a slow pattern hang are rejected at once',
  ],
  '1508cc08 "Negated class" pattern (company; legacy': [
    'spaces between words are still allowed',
    'test/api/contacts.test.ts: may live in New York on the legacy API',
    'src/contract/parameters.test.ts: accepts valid values and rejects others',
  ],
  '11b0bf2c Names': [
    '**Host names and domains** have a last label of 2 to 6 letters',
    'test/api/machines.test.ts: take host names whose last label has 2 to 6 letters, and single labels on the legacy API',
    'src/contract/parameters.test.ts: accepts valid values and rejects others',
  ],
  '8b4ef6a6 Field aliases': [
    '**Aliases.**',
    'test/api/contacts.test.ts: on v2 accept companyname, phonenumber and postcode as well',
    'test/api/contacts.test.ts: are deleted, by id and by contactid, from a body and from the query',
    'test/api/contacts.test.ts: are created through the legacy API with its own field names and the standard ones',
  ],
  'dbe730d1 Idempotency': [
    'It belongs to the API key, or to the person who signed in',
    'test/api/idempotency.test.ts: returns the first response again, for JSON and form, quoted and bare, in any order',
    'test/api/idempotency.test.ts: with other parameters is 422, and changes nothing',
    'test/api/idempotency.test.ts: is free again after a rejection from before the work began',
    'test/api/idempotency.test.ts: is free again after a conflict, which did nothing',
    'test/api/idempotency.test.ts: belongs to the key that used it',
    'test/api/idempotency.test.ts: belongs to the person who signed in, in every session',
  ],
  '1687e498 Limits': [
    '`RateLimit-Policy`',
    'test/api/limits.test.ts: is reported, and exceeding it is a 429 with the time to wait',
    'test/api/limits.test.ts: in the lab is 2,000 a second with bursts of 10,000',
  ],
  'cf909fbd Request id': [
    'Every response has an `X-Request-Id`',
    'test/sweeps/bodies.test.ts: has its own request id in every response',
  ],
  'ce32fdcb Account status: Active, Suspended, Closed': [
    '**A suspended account** can read everything',
    'test/api/account.test.ts: that is suspended can read and manage itself but changes no service; a closed one can do nothing',
  ],
  'e967e48a balance: what the account owes': [
    '**`balance`** is what the account owes',
    'test/api/account.test.ts: owes what is open on its unpaid invoices, less its credit',
    'test/api/account.test.ts: in credit has a negative balance',
  ],
  '8c638aa5 lastlogin: three lines: YYYY-MM-DD HH:MM:SS': [
    'the use of an API key is not a login',
    'test/api/sign-in.test.ts: is the last login for the sessions after it, with the name that its address had',
  ],
  '6d0bd231 Invoice Overdue is an unpaid': [
    '**Overdue** is an unpaid invoice after its due date',
    'test/api/account.test.ts: has an overdue invoice from the day after it was due, and not before',
    'test/api/account.test.ts: reads one invoice whose totals are right to the cent',
    'test/api/account.test.ts: rejects a status together with an invoice, and an unknown status',
  ],
  'df10fb65 contactid is a string. GET': [
    'GET with `id` returns an array with that contact',
    'test/api/contacts.test.ts: are not updated by an empty request',
    'test/api/contacts.test.ts: have passwords that are stored hashed and never returned',
  ],
  '1bb4495f Legacy: /client/contact and /billing/ return': [
    '`contactUpdate` requires `phone` and returns `{contactid}`',
    'test/api/contacts.test.ts: are created through the legacy API with its own field names and the standard ones',
    'test/api/account.test.ts: owes what is open on its unpaid invoices, less its credit',
    'test/sweeps/contract.test.ts: agree on the parameters of',
  ],
  'f6d5e7fb A service is dedicated, vps': [
    'has `server`, a virtual machine (vps or cloud) `vmid`',
    'test/api/devices.test.ts: are listed with their types, without those of other accounts',
    'test/api/devices.test.ts: has two forms, is case-insensitive, and accepts nothing else',
  ],
  'ea855ac6 GET /v2/device/list: array of {service': [
    '**The list of devices** has the status of each service',
    'test/api/devices.test.ts: are listed with their types, without those of other accounts',
    'test/sweeps/specification.test.ts: agree on every shape that the decisions give',
  ],
  "ef9d14b7 Power messages follow ipmitool's words": [
    '**Power results** are those of ipmitool',
    'test/api/devices-power.test.ts: is changed with the documented result texts, and left alone if it is already as requested',
    'test/api/devices-power.test.ts: is cycled, which ends in on, also from off',
    'test/api/devices-power.test.ts: is rebooted the legacy way: off, five seconds, on, also from off',
    'test/api/devices-power.test.ts: cannot be reset while off',
    'test/api/devices-power.test.ts: is chosen for one boot, and reboots nothing',
  ],
  'e3f18810 Power status is on, off': [
    'an unknown state is never reported as off',
    'test/api/devices.test.ts: is a 504 within 10 s, with nothing changed and nothing cancelled',
    'test/api/devices-power.test.ts: is left to the operating system by a soft shutdown, whatever that does',
  ],
  '7e021d8d One command at a time': [
    '**A device executes one command at a time,**',
    'test/api/devices.test.ts: waits for its turn and then runs',
    'test/api/devices.test.ts: that waits too long learns what is running',
  ],
  'c5633d8a PUT power on a virtual': [
    '`PUT /v2/device/power` accepts pxe and cdrom; bios returns 422',
    'test/api/machines.test.ts: boot once from the network or an image, and have no BIOS setup',
  ],
  '4d43a5f9 BMC users: names of 1': [
    '**BMC users** have a name of 1 to 16 letters',
    'test/api/devices-users.test.ts: need unique names in a form that every BMC accepts',
    'test/api/devices-users.test.ts: do not include the provider',
    "test/api/devices-users.test.ts: are limited by the BMC's slots, and one more is a 422 that leaves nothing behind",
    'test/api/devices-users.test.ts: leaves the server running, and calls during the reset wait for it',
  ],
  'c4a8a363 ISO: the list with service': [
    'With `service`, the list has the images that the device can mount now',
    'test/api/images.test.ts: comes from the list, which has only what a device can mount',
    'test/api/images.test.ts: is uploaded, mounted, unmounted and kept, with the documented texts and events of both APIs',
  ],
  'beefcafd Console of a dedicated service': [
    '**The console launcher**',
    'test/api/devices-console.test.ts: is a file with a user created for this session only',
    'test/api/devices-console.test.ts: ends when it is reset, together with its user',
    'test/api/devices-console.test.ts: ends after an hour, even if the BMC is unreachable at that time',
  ],
  '241badb5 Password: POST returns the new': [
    '**Root password.** To reset the root password of a dedicated server',
    'test/api/rescues.test.ts: the rescue system resets the root password, and the server boots back',
    'test/api/machines.test.ts: get a new name, password and TUN devices, visible inside',
  ],
  '346aab87 Reload: POST on a device': [
    '**Status** is `No reload in progress` before the first reload',
    'test/api/reloads.test.ts: a reload goes from the call to the new system, with all its events',
    'test/api/reloads.test.ts: after cancelling in any phase, the server boots its disk again',
    'test/api/reloads.test.ts: the legacy API drives the same reload, and its password is collected',
  ],
  'a6e982f4 Stats and hardware of a': [
    'A virtual machine has the same shape, with its virtual parts',
    'test/api/machines.test.ts: report what they use and what they consist of',
    'test/api/network-traffic.test.ts: has the same figures on both APIs, in an inner envelope on v2 only, and a name before the first poll',
    'test/api/network-ports.test.ts: is part of the hardware',
  ],
  '43cc5858 start/stop/end: default the last 24': [
    '**Time ranges:** by default the last 24 hours',
    'test/api/network-traffic.test.ts: rejects invalid time spans',
  ],
  'd947cf38 ISO and PXE names: the': [
    'The 39 documented file names and the network-boot ids are built in',
    'src/contract/catalogue.test.ts: spells the image names as the specification does',
    'src/contract/catalogue.test.ts: has 28 network-boot ids, each once',
  ],
  '23195b70 A new zone gets SOA': [
    '**New zones** get their SOA',
    "test/api/dns.test.ts: a new zone has the provider's SOA and name servers, and is deleted with all its records",
    "test/api/dns.test.ts: a zone of another account, a part of it, or a part of the provider's zone cannot be created",
  ],
  '364dd07f Names: v2 record is fully': [
    '**Names.** On version 2, `record` is a full name inside the zone',
    'test/api/dns.test.ts: the legacy API accepts relative names and @, and returns ids',
  ],
  '807ebcbf Content is checked for its': [
    '**Content** is validated for its type',
    'test/api/dns.test.ts: invalid input is rejected with parameter and reason, and changes nothing',
    'test/api/dns.test.ts: an RRset has one TTL, that of the set or the one given last',
    'test/api/dns.test.ts: the SOA is replaced, never removed, and its serial never decreases',
  ],
  'f1d536a6 Every accepted change is visible': [
    'the name server already serves the change',
    'test/peers/dns-publishing.test.ts: are visible to dig when the call returns, of every kind',
    'test/api/dns.test.ts: every record type is added, answered, updated in place and removed, each with a new serial',
  ],
  'd4e38a27 Reverse: only addresses inside the': [
    "**Reverse names** can be set for addresses in the account's netblocks",
    "test/api/dns-reverse.test.ts: customers name their addresses, and see every IPv4 address, the named IPv6 ones, other blocks, and nobody else's",
    'test/api/dns-reverse.test.ts: many reverse names are set together or not at all',
  ],
  'db66bc95 Port status: <alias> - <Up|Down>': [
    '**The state of a port** is `<alias> - <Up|Down> / <Up|Down>`',
    'test/api/network-ports.test.ts: is shown with its name and both states, and follows commands',
    'test/api/network-ports.test.ts: is shown with its name on the switch if it has no alias',
    'test/api/network-ports.test.ts: is listed and switched by its id on the legacy API',
  ],
  '3c98a9b7 /network/request: takes a free block': [
    '**An address request** gets the first free, aligned block',
    'test/api/network-addresses.test.ts: are assigned at once, listed by family, named, and reported as events',
    'test/api/network-addresses.test.ts: wait for the operator if the pool says so, and leave reserved ones alone',
    'test/api/network-addresses.test.ts: are rejected if they are invalid or only those are left that the network uses itself',
  ],
  '9d92b51d /network/nullroute: with ip, null-routes it': [
    '**Null routes.**',
    'test/api/nullroutes.test.ts: of a customer are announced, listed and lifted',
  ],
  'ae47a77c Events are keyed by anomaly_id;': [
    '**Anomalies** are keyed by `anomaly_id`',
    'test/api/attacks.test.ts: are one event each, however often and in whatever spelling they are reported',
  ],
  '74c93420 Bandwidth: 95pct is the nearest-rank': [
    '**`95pct`** is the nearest-rank 95th percentile',
    'src/traffic/statistics.test.ts: is the 19th of 20 rates, and the larger of in and out',
    'src/traffic/meter.test.ts: never shows a peak when the clock is set, forward or back',
    'test/api/network-traffic.test.ts: turns silence into a gap, never into a peak, and one silent switch does not affect another',
    'test/api/machines.test.ts: have a history of what they used, in which a silent hypervisor is a gap and a restart no peak',
  ],
  '5b4e1f86 /vps/list, /vps/get: {vmid, hostname, status': [
    '**`/vps/tun`** without `vmid`',
    'test/api/machines.test.ts: are listed with their plan and their last observed state',
    'test/api/machines.test.ts: get a new name, password and TUN devices, visible inside',
  ],
  'd041f38f Results: power Powered On, Powered': [
    '**Results** are `Powered On`, `Powered Off` and `Rebooted`',
    'test/api/machines.test.ts: are powered on and off with the result texts of each API',
    'test/api/images.test.ts: works for a virtual machine too',
  ],
  'b18d16ad /software/list: {installed: [{license, type, status': [
    '**`/software/list`** has two lists',
    'test/api/licences.test.ts: get the key from staff, which completes the order',
    'test/api/licences.test.ts: are ordered with an unpaid invoice at once, prorated to the end of the month',
    'test/api/licences.test.ts: are cancelled to the end of the month, and gone then',
    'test/api/licences.test.ts: end at once if they are cancelled before they are delivered, and their invoice is cancelled',
    'test/api/licences.test.ts: that do not fit are rejected with a reason, at no cost',
  ],
  '8294b71a Host names: the last label': [
    '`/vps/hostname` also accepts a single label',
    'test/api/machines.test.ts: take host names whose last label has 2 to 6 letters, and single labels on the legacy API',
  ],
  '7039d172 Hardware has the five documented': [
    'in the five documented categories',
    "test/api/devices.test.ts: are described by the provider's records and their BMCs",
    'test/sweeps/specification.test.ts: agree on the categories of hardware',
  ],
  '75a15a5b Events: at most the newest': [
    '`before` (the smallest anomaly id you have)',
    'test/api/attacks.test.ts: are listed up to the newest thousand',
    'test/api/attacks.test.ts: with ids from one detector stay separate, concurrent reports lose none, and events are paged',
  ],
  'f6cc2452 A terminated service: reads of': [
    '**A terminated service** keeps its history',
    'test/sweeps/terminated.test.ts: still reads the history until the termination',
    'test/sweeps/terminated.test.ts: reads nothing of the next customer, and learns that the service is terminated',
  ],
  '24ce4756 JSON numbers are accepted for': [
    'and so can `zipcode` and `phone`',
    'test/api/contacts.test.ts: take a postal code and a phone number as JSON numbers',
  ],
  '0d1e0358 PUT /v2/account/contact accepts and ignores': [
    'PUT accepts a contact as it was read',
    'test/api/contacts.test.ts: can be read, modified and sent back, while fields of other operations stay as they are',
  ],
};

const digestOf = (decision: string): string => createHash('sha256').update(decision).digest('hex').slice(0, 8);

describe('the decisions of the specification', needsSpecification(), () => {
  it('are all in the table, as they are now', () => {
    const rows = readSpecification('decisions.md').match(/^(?:- |\| (?!Question )).*$/gm) ?? [];
    const known = new Set(Object.keys(counterparts).map((entry) => entry.split(' ')[0]));
    const unknown = rows.filter((row) => !known.has(digestOf(row)));
    assert.deepEqual(unknown, [], 'new or amended');
    assert.equal(rows.length, known.size, 'an entry has no decision');
  });
});

describe('the table of decisions', () => {
  it('names phrases of the page', () => {
    const page = pageText('docs/reference/api-decisions.md').replaceAll(/\s+/g, ' ');
    for (const [entry, [phrase]] of Object.entries(counterparts)) assert.ok(page.includes(phrase), entry);
  });

  it('names existing tests', () => {
    for (const test of Object.values(counterparts).flatMap(([, ...tests]) => tests)) {
      const [, file, title] = /^(\S+): (.+)$/.exec(test)!;
      const declarations = readFileSync(join(root, file!), 'utf8').matchAll(/\b(?:test|it)\(\s*(['"`].*)$/gm);
      assert.ok(
        [...declarations].some(([, declared]) => declared!.includes(title!)),
        `there is no test ${test}`,
      );
    }
  });
});
