// The types of invoice lines, in words.
import type { LineType } from '#contract/shapes/account.ts';
import { t } from '../text/text.ts';

export const lineLabels: Readonly<Record<LineType, string>> = {
  Hosting: t('Hosting'),
  Setup: t('Setup'),
  License: t('Licences'),
  Bandwidth: t('Bandwidth'),
  Address: t('IP addresses'),
  Usage: t('Metered usage'),
  Discount: t('Discount'),
  LateFee: t('Late fee'),
  Credit: t('Credit'),
};
