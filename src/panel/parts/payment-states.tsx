// The states of charges and of payment methods.
import type { JSX } from 'react';
import type { ChargeState } from '#contract/shapes/payment.ts';
import type { Result } from '../data/operations.ts';
import { Dimmed } from './dimmed.tsx';
import { StateBadge } from './state-badge.tsx';
import { t } from '../text/text.ts';

/** `state` decides the colour of the badge. */
const chargeStates: Readonly<Record<ChargeState, { readonly state: string; readonly label: string }>> = {
  created: { state: 'pending', label: t('Pending') },
  submitted: { state: 'pending', label: t('Pending') },
  needs_action: { state: 'unpaid', label: t('Not completed') },
  succeeded: { state: 'paid', label: t('Paid') },
  failed: { state: 'failed', label: t('Failed') },
  partly_refunded: { state: 'refunded', label: t('Partly refunded') },
  refunded: { state: 'refunded', label: t('Refunded') },
  charged_back: { state: 'failed', label: t('Charged back') },
};

type Charge = Pick<Result<'chargeList'>[number], 'state' | 'failure'>;

export function ChargeResult({ charge: { state, failure } }: { charge: Charge }): JSX.Element {
  return (
    <>
      <StateBadge {...chargeStates[state]} />
      {failure !== '' && <Dimmed size="xs">{failure}</Dimmed>}
    </>
  );
}

type Method = Pick<Result<'paymentMethodList'>[number], 'state' | 'default'>;

export function MethodState({ method }: { method: Method }): JSX.Element {
  if (method.state === 'expired') return <StateBadge state="failed" label={t('Expired')} />;
  return method.default ? (
    <StateBadge state="active" label={t('Default')} />
  ) : (
    <StateBadge state="" label={t('Active')} />
  );
}
