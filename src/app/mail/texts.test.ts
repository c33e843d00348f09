// The texts in every language, and what they become.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { directMailKinds, eventMailKinds, mailLanguages } from '#contract/mail/kinds.ts';
import { placeholdersIn } from '#lib/fill-text.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { cleanValue, previewMail } from './compose.ts';
import { layouts } from './layouts.ts';
import type { MailSettings } from './settings.ts';
import { listLanguages, loadTexts } from './texts.ts';
import { occasionValues, sampleOccasion } from './values.ts';

const kinds = [...eventMailKinds, ...directMailKinds];
const clock = { now: () => Date.parse('2026-11-16T12:00:00Z') };
const settings: MailSettings = {
  from: 'noreply@provider.example',
  relays: [],
  provider: 'Provider & Sons',
  legal: ['Provider GmbH', 'Musterstraße 1'],
};

describe('the texts of messages', () => {
  it('exist for every kind, fact and language, with the same placeholders', async () => {
    const english = (await loadTexts('en', undefined)).catalogue;
    for (const language of mailLanguages) {
      const { catalogue } = await loadTexts(language, undefined);
      assert.deepEqual(Object.keys(catalogue.messages).toSorted(), Object.keys(english.messages).toSorted());
      for (const [name, texts] of Object.entries(catalogue.messages)) {
        assert.deepEqual(Object.keys(texts).toSorted(), Object.keys(english.messages[name]!).toSorted(), name);
        for (const part of ['subject', 'text'] as const)
          assert.deepEqual(
            new Set(placeholdersIn(texts[part] ?? '')),
            new Set(placeholdersIn(english.messages[name]![part] ?? '')),
            `${language} ${name} ${part}`,
          );
        if (language !== 'en') assert.notEqual(texts.text, english.messages[name]!.text, `${language} ${name}`);
      }
      for (const kind of kinds) {
        assert.ok(catalogue.messages[kind]?.subject, `${language} ${kind}`);
        for (const fact of layouts[kind].facts ?? []) assert.ok(catalogue.labels[fact], `${language} ${fact}`);
        assert.equal(catalogue.messages[kind].button === undefined, layouts[kind].link === undefined, kind);
      }
      for (const kind of eventMailKinds) {
        const values = occasionValues(sampleOccasion(kind, clock.now()), language, catalogue);
        const used = [
          ...placeholdersIn(Object.values(catalogue.messages[kind]!).join(' ')),
          ...placeholdersIn(layouts[kind].link ?? ''),
        ];
        for (const name of used) assert.ok(values[name], `${language} ${kind} {${name}}`);
      }
    }
  });

  it('become text and HTML without anything that is loaded from elsewhere', async () => {
    for (const language of mailLanguages)
      for (const kind of kinds) {
        const { subject, text, html } = await previewMail({ clock }, settings, kind, language);
        assert.doesNotMatch(`${subject}${text}${html}`, /\{[a-z]+\}|undefined/, `${language} ${kind}`);
        assert.doesNotMatch(html, /<(?:script|link|iframe)|src="http|@import|url\(/i);
        assert.match(html, /Provider &amp; Sons|Provider GmbH/);
        assert.equal(html.includes('List-Unsubscribe'), false);
      }
  });

  it('are written for their language', async () => {
    const english = await previewMail({ clock }, settings, 'invoice.issued', 'en');
    assert.match(english.text, /Please pay €119\.00 by December 15, 2026\./);
    const german = await previewMail({ clock }, settings, 'invoice.issued', 'de');
    assert.match(german.text, /Bitte zahlen Sie 119,00\s€ bis zum 15\. Dezember 2026\./);
  });

  it('can be overridden in a folder, one by one, and a broken file is reported and ignored', async () => {
    await using folder = await temporaryFolder('texts');
    await writeFile(join(folder.path, 'en.yaml'), "messages:\n  test:\n    subject: 'Ours'\n");
    await writeFile(join(folder.path, 'fr.yaml'), "common:\n  greeting: 'Bonjour {firstname},'\n");
    await writeFile(join(folder.path, 'de.yaml'), 'messages: [broken');
    const own = { ...settings, texts: folder.path };
    const english = await previewMail({ clock }, own, 'test', 'en');
    assert.equal(english.subject, 'Ours');
    assert.match(english.text, /Email works/);
    const french = await previewMail({ clock }, own, 'test', 'fr');
    assert.match(french.text, /^Bonjour Ada,/);
    assert.equal(french.subject, 'Ours');
    const german = await loadTexts('de', folder.path);
    assert.equal(german.problems.length, 1);
    assert.match(german.catalogue.messages['test']!.text!, /E-Mail-Versand/);
    assert.deepEqual((await listLanguages(folder.path)).toSorted(), ['de', 'en', 'fr']);
  });

  it('take values as one line without control characters', () => {
    assert.equal(cleanValue('a\r\nBcc: b\u2028c\u202Ed\u0000'), 'a Bcc: b c d');
    assert.equal(cleanValue('x'.repeat(9999)).length, 500);
  });
});
