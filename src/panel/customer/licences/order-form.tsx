// Orders a licence. Shows the price before the order, because it is invoiced immediately.
import { Alert, Select, Text } from '@mantine/core';
import type { JSX } from 'react';
import type { Device } from '#sdk/v2.ts';
import { useLegacyChange } from '../../data/legacy.ts';
import { useRead } from '../../data/operations.ts';
import { QueryResult } from '../../parts/query-result.tsx';
import { useFormFields } from '../../parts/form-fields.ts';
import { Form } from '../../parts/form.tsx';
import { Money } from '../../parts/money.tsx';
import { licenceLabel, licenceType } from '#contract/licence-name.ts';
import { rich } from '../../text/rich.ts';
import { t } from '../../text/text.ts';

/** Queries to refetch after an order or a cancellation. */
export const licenceQueries = ['deviceLicenceList', 'deviceLicenceOfferList', 'invoiceGet', 'balanceGet'];

export interface OrderFormProps {
  readonly device: Device;
  readonly close: () => void;
}

export function OrderForm({ device, close }: OrderFormProps): JSX.Element {
  const offers = useRead('deviceLicenceOfferList', { service: device.service });
  const fields = useFormFields({ license: '' });
  const { license } = fields.values;
  const offer = offers.data?.find((candidate) => candidate.license === license);
  const order = useLegacyChange('softwareOrder', {
    successMessage: t('{licence} ordered', { licence: offer === undefined ? '' : licenceLabel(offer) }),
    invalidates: licenceQueries,
  });
  return (
    <QueryResult query={offers} lines={2}>
      {(all) => {
        return (
          <Form
            fields={fields}
            submitLabel={t('Order now')}
            close={close}
            onSubmit={() => order.mutateAsync({ service: device.service, type: licenceType(device), license })}
            disabledReason={offer === undefined ? t('Select a licence first.') : undefined}
          >
            {all.length === 0 ? (
              <Text size="sm">{t('No more licences are available for this server.')}</Text>
            ) : (
              <Select
                label={t('Licence')}
                required
                searchable
                data={all.map((each) => ({ value: each.license, label: licenceLabel(each) }))}
                value={license === '' ? null : license}
                error={fields.errorOf('license')}
                onChange={(value) => fields.set({ license: value ?? '' })}
                data-autofocus
              />
            )}
            {offer !== undefined && (
              <Alert variant="default" title={t('Price')}>
                {rich('{first} for the rest of this billing month, then {price} per month. Plus tax.', {
                  first: <Money amount={offer.first} />,
                  price: <Money amount={offer.price} />,
                })}
              </Alert>
            )}
          </Form>
        );
      }}
    </QueryResult>
  );
}
