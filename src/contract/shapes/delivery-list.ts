// Invoices on their way through the e-invoicing network.
import { Type } from 'typebox';
import { Moment } from './account.ts';
import { deliveryStates, networkFormats } from './invoice-delivery.ts';
import { described, text } from './text.ts';

const delivery = {
  id: text,
  invoiceid: text,
  invoicenum: text,
  documentid: described('The identifier of the document in the network'),
  format: Type.Enum(networkFormats),
  state: Type.Enum(deliveryStates, {
    description: '`sent` means that the access point has it; `delivered` and `rejected` are final',
  }),
  receiver: described('The recipient’s electronic address; empty until it is sent'),
  reason: described('Why it was rejected; empty otherwise'),
  queued: Moment,
  sent: Type.Union([Moment, Type.Null()]),
  ended: Type.Union([Moment, Type.Null()], { description: 'When it was delivered or rejected' }),
};

export const DeliveryItem = Type.Object(delivery);

export const OperatorDeliveryItem = Type.Object({
  ...delivery,
  account: text,
  reference: described('The access point’s identifier of the document'),
  problem: described('Why the last attempt failed; empty if it succeeded'),
  nexttry: Type.Union([Moment, Type.Null()]),
});
