// The states of charges, as customers read them.
import type { ChargeState } from '#contract/shapes/payment.ts';
import { t } from '../../text/text.ts';

/** `state` decides the colour of the badge. */
export const chargeStates: Readonly<Record<ChargeState, { readonly state: string; readonly label: string }>> = {
  created: { state: 'pending', label: t('Pending') },
  submitted: { state: 'pending', label: t('Pending') },
  needs_action: { state: 'unpaid', label: t('Not completed') },
  succeeded: { state: 'paid', label: t('Paid') },
  failed: { state: 'failed', label: t('Failed') },
  partly_refunded: { state: 'refunded', label: t('Partly refunded') },
  refunded: { state: 'refunded', label: t('Refunded') },
  charged_back: { state: 'failed', label: t('Charged back') },
};
