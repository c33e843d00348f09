// The text that a customer agrees to. It follows the mandate of the European Payments Council; the version changes with
// every word, those of the site file included, and each mandate keeps the text that was agreed to.
import { countText } from '#lib/count-text.ts';
import { sha256Hex } from '#lib/secrets.ts';
import type { SepaSettings } from './settings.ts';

export type ConsentLanguage = 'en' | 'de';

type ConsentSettings = Pick<SepaSettings, 'creditor' | 'scheme' | 'noticeDays'>;

export function consentVersion(settings: ConsentSettings): string {
  return sha256Hex(consentText(settings, 'en') + consentText(settings, 'de')).slice(0, 16);
}

export function consentText({ creditor, scheme, noticeDays }: ConsentSettings, language: ConsentLanguage): string {
  const { name, id } = creditor;
  return language === 'de' ? germanText(name, id, scheme, noticeDays) : englishText(name, id, scheme, noticeDays);
}

function englishText(name: string, id: string, scheme: string, days: number): string {
  const rights =
    scheme === 'CORE'
      ? 'You are entitled to a refund from your bank under the terms and conditions of your agreement with your bank. A refund must be claimed within 8 weeks starting from the date on which your account was debited.'
      : 'This mandate is only intended for business-to-business transactions. You are not entitled to a refund from your bank after your account has been debited, but you are entitled to request your bank not to debit your account up until the day on which the payment is due.';
  return `I authorise ${name} (creditor identifier ${id}) to send instructions to my bank to debit my account, and my bank to debit my account in accordance with these instructions. ${rights} ${name} announces each direct debit by email at least ${countText(days, 'day')} before it is due.`;
}

function germanText(name: string, id: string, scheme: string, days: number): string {
  const rights =
    scheme === 'CORE'
      ? 'Ich kann innerhalb von acht Wochen, beginnend mit dem Belastungsdatum, die Erstattung des belasteten Betrages verlangen. Es gelten dabei die mit meinem Kreditinstitut vereinbarten Bedingungen.'
      : 'Dieses Mandat dient nur dem Einzug von Lastschriften, die auf Konten von Unternehmen gezogen sind. Ich bin nicht berechtigt, nach der erfolgten Einlösung eine Erstattung des belasteten Betrages zu verlangen. Ich kann mein Kreditinstitut bis zum Fälligkeitstag anweisen, Lastschriften nicht einzulösen.';
  return `Ich ermächtige ${name} (Gläubiger-Identifikationsnummer ${id}), Zahlungen von meinem Konto mittels Lastschrift einzuziehen. Zugleich weise ich mein Kreditinstitut an, die von ${name} auf mein Konto gezogenen Lastschriften einzulösen. ${rights} ${name} kündigt jede Lastschrift mindestens ${countText(days, 'Tag', 'Tage')} vor der Fälligkeit per E-Mail an.`;
}
