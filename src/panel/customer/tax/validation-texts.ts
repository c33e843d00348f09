// Meanings of the states of a VAT number. The badge's colour follows the state of another thing that looks the same.
import type { ValidationState } from '#contract/shapes/tax.ts';
import { t } from '../../text/text.ts';

export const validationStates: Readonly<Record<ValidationState, { readonly state: string; readonly label: string }>> = {
  valid: { state: 'ok', label: t('Confirmed') },
  invalid: { state: 'rejected', label: t('Not registered') },
  unchecked: { state: 'pending', label: t('Not checked yet') },
  unreachable: { state: 'pending', label: t('Register not reachable') },
};

export const validationNotes: Readonly<Record<ValidationState, string>> = {
  valid: t('The register of VAT numbers has confirmed it.'),
  invalid: t('The register does not know this number, so invoices include VAT. Check it, or ask your tax office.'),
  unchecked: t(
    'It is checked within minutes if its country is in the EU. Until it is confirmed, invoices include VAT.',
  ),
  unreachable: t(
    'The register has not answered yet. We ask again; until it confirms the number, invoices include VAT.',
  ),
};
