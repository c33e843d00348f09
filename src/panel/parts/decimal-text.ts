// Measured values of the API, in the language of the panel.
import { locale } from '../text/text.ts';

/** `12.06 V` is `12,06 V` in German. */
export function decimalText(text: string): string {
  const sign = (0.5).toLocaleString(locale()).charAt(1);
  return text.replaceAll(/(?<=\d)\.(?=\d)/g, sign);
}
