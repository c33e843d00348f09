// The states of an e-invoice in the network.
import type { DeliveryState } from '#contract/shapes/invoice-delivery.ts';
import { t } from '../../text/text.ts';

export const deliveryLabels: Readonly<Record<DeliveryState, string>> = {
  queued: t('Queued@@e-invoice'),
  sent: t('Sent@@e-invoice'),
  delivered: t('Delivered@@e-invoice'),
  rejected: t('Rejected@@e-invoice'),
};
