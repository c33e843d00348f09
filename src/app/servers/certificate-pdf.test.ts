// The PDF of a certificate, read with other programs.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { CertificateDocument, CertificateKind } from '#contract/shapes/certificate.ts';
import { publicJwk, signJws } from '#lib/jws.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { needs } from '#test/support/needs.ts';
import { renderCertificatePdf } from './certificate-pdf.ts';

const { privateKey } = generateKeyPairSync('ed25519');
const seller = {
  name: 'Yard & Sons',
  street: ['Havn 1'],
  city: 'Aarhus',
  postcode: '8000',
  state: '',
  country: 'DK',
  email: 'billing@example.net',
  vatNumber: '',
  registration: '',
  iban: '',
  taxNumber: '',
  contact: '',
  phone: '',
  endpoint: '',
};
const erased: CertificateDocument = {
  certificate: '01a1e2de-ecb6-7000-9d59-cfa7bb30412f',
  provider: 'Yard & Sons',
  server: 'dc01r01ds01',
  serial: 'S1234',
  issued: '2026-11-16T05:40:00.000Z',
  previouscustomer: true,
  erasure: 'erased',
  disks: [
    { serial: 'WD-1', bytes: '960197124096', method: 'discard', seconds: '12' },
    { serial: 'WD-2', bytes: '4000787030016', method: 'overwrite', seconds: '28400' },
  ],
  erased: '2026-11-16T05:30:00.000Z',
  bmcusersremoved: '2',
  bmcusersleft: '1',
  firmware: { BMC: '3.88' },
  ports: '2',
  signedoff: [{ step: 'inventory', by: 'anna', reason: 'Memory was upgraded', at: '2026-11-16T05:35:00.000Z' }],
};

async function printPages(document: CertificateDocument, kind: CertificateKind = 'handover'): Promise<string[]> {
  await using folder = await temporaryFolder('certificate');
  const file = join(folder.path, 'certificate.pdf');
  const signed = signJws(document, privateKey);
  writeFileSync(file, (await renderCertificatePdf({ kind, document, signed }, seller)).bytes);
  execFileSync('pdfdetach', ['-savefile', 'certificate.jws', '-o', join(folder.path, 'saved'), file]);
  assert.equal(readFileSync(join(folder.path, 'saved'), 'utf8'), signed);
  const text = execFileSync('pdftotext', ['-layout', file, '-'], { encoding: 'utf8' });
  return text.replaceAll(/ +/g, ' ').split('\f').slice(0, -1);
}

describe('the PDF of a certificate', needs('pdftotext', 'pdfdetach'), () => {
  it('says on one page what was done to each disk, who signed off what, and how to verify it', async () => {
    const pages = await printPages(erased);
    assert.equal(pages.length, 1);
    for (const words of [
      'Yard & Sons Handover certificate',
      'Every disk of this server was erased before you got it',
      'Serial number S1234',
      'WD-1 960 GB All blocks discarded 12 s',
      'WD-2 4 TB Overwritten with zeros 7 h 53 min',
      'BMC users 2 removed; 1 of the provider remain',
      'Firmware Signed off by staff',
      'anna at 2026-11-16 05:35 UTC: Memory was upgraded',
      'hostyard certificate verify certificate.jws',
      `Key thumbprint ${publicJwk(privateKey).kid}`,
    ])
      assert.ok(pages[0]!.includes(words), `${words} in\n${pages[0]}`);
  });

  it('prints names in other scripts, and characters that no font has as question marks', async () => {
    const signedoff = [{ ...erased.signedoff[0]!, by: 'José', reason: 'Müller 東京 \u{1F9FF}' }];
    const [page] = await printPages({ ...erased, provider: 'Müller & Söhne', signedoff });
    assert.match(page!, /Müller & Söhne Handover certificate/);
    // 東京 needs one of the fonts that docs/guides/billing.md lists.
    assert.match(page!, /José at [^:]+:\d+ UTC: Müller (?:東京|\?\?) \?/);
  });

  it('never claims an erasure that did not happen', async () => {
    const others = {
      signedoff: 'staff vouch for',
      waived: 'does not erase the disks',
      none: 'No customer had this server before you',
    } as const;
    for (const [erasure, words] of Object.entries(others)) {
      const document = { ...erased, erasure: erasure as keyof typeof others, disks: [], erased: '' };
      const [page] = await printPages(document, 'erasure');
      assert.ok(page!.includes(words), page);
      assert.doesNotMatch(page!, /was erased/);
    }
  });

  it('continues on another page if there are too many disks for one, without losing any', async () => {
    const disks = Array.from({ length: 90 }, (_, index) => ({ ...erased.disks[0]!, serial: `SERIAL-${index}-` }));
    const text = (await printPages({ ...erased, disks })).join('');
    for (const { serial } of disks) assert.ok(text.includes(serial), serial);
  });
});
