// The API's errors about fields, as instructions for people. Those of the API are parts of sentences, in English, for
// programs and their authors.
import { t } from '../text/text.ts';

type Rule = readonly [pattern: RegExp, text: (...values: string[]) => string];

/** The first that matches applies. */
const rules: readonly Rule[] = [
  [/^is required/, () => t('Fill in this field.')],
  [/^must be text of (\d+) to (\d+) characters/, (min, max) => t('Enter {min} to {max} characters.', { min, max })],
  [
    /^must be a whole number from (-?\d+) to (\d+)/,
    (min, max) => t('Enter a number from {min} to {max}.', { min, max }),
  ],
  [/^must be at most (\d+) characters/, (max) => t('Enter at most {max} characters.', { max })],
  [/^is a common password/, () => t('This password is too common. Choose another one.')],
  [/^must be an email address/, () => t('Enter an email address.')],
  [/^must be the address that was invited/, () => t('Enter the email address that was invited.')],
  [/^must be the six digits/, () => t('Enter the six digits that the app shows.')],
  [/^must be an IPv4 or IPv6 address/, () => t('Enter an IPv4 or IPv6 address.')],
  [/^must be an address or a network/, () => t('Enter an IP address or a network such as 192.0.2.0/24.')],
  [
    /^must be a host ?name|^must be a (?:full )?name (?:inside|relative to) the zone/,
    () => t('Enter a valid hostname'),
  ],
  [/^must be a URL/, () => t('Enter an address that begins with http:// or https://.')],
  [/^must be a public key/, () => t('Enter a public key such as ssh-ed25519 AAAA… name.')],
  [/^must be (?:a two-letter country|a country code|the two-letter code)/, () => t('Choose a country.')],
  [/^must be a date/, () => t('Enter a date.')],
  [/^must be in the future/, () => t('Choose a time in the future.')],
  [/^must not be in the future/, () => t('The date must not be in the future.')],
  [/^must be (?:a price|an amount in)/, () => t('Enter an amount such as 12.50.')],
  [/^must have .* in ([A-Z]{3}) too/, (currency) => t('Enter every price in {currency} too.', { currency })],
  [
    /^([A-Z]{3}) must have two decimals/,
    (currency) => t('{currency} has no two decimals, so it cannot be used.', { currency }),
  ],
  [/^must be (?:above zero|an amount|more than 0)/, () => t('Enter an amount above zero.')],
  [/^must name at least one scope/, () => t('Choose at least one permission.')],
  [/^must be one of /, () => t('Choose one of the offered values.')],
];

/** Returns the API's own text if there is none for people. */
export function fieldErrorText(message: string): string {
  for (const [pattern, text] of rules) {
    const match = pattern.exec(message);
    if (match !== null) return text(...match.slice(1));
  }
  return message;
}
