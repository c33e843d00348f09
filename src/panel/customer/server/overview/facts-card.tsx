// What is known about a server: its system, location and age, its price and the next invoice.
import type { JSX, ReactNode } from 'react';
import type { Device } from '#sdk/v2.ts';
import { useScopeDenial } from '../../../data/identity.ts';
import { useRead, type Result } from '../../../data/operations.ts';
import { Dimmed } from '../../../parts/dimmed.tsx';
import { Facts, type Fact } from '../../../parts/facts.tsx';
import { Day, Money } from '../../../parts/money.tsx';
import { QueryResult } from '../../../parts/query-result.tsx';
import { Timestamp } from '../../../parts/timestamp.tsx';
import { SectionCard } from '../section-card.tsx';
import { rich } from '../../../text/rich.ts';
import { t } from '../../../text/text.ts';

type DevicePrice = Result<'devicePriceGet'>;

export function FactsCard({ device: { service } }: { device: Device }): JSX.Element {
  const facts = useRead('deviceFactsGet', { service });
  const mayReadPrices = useScopeDenial()('billing:read') === undefined;
  const price = useRead('devicePriceGet', { service }, { enabled: mayReadPrices });
  return (
    <SectionCard title={t('Details')}>
      <QueryResult query={facts} lines={4}>
        {({ system, installed, location, rack, created }) => (
          <Facts
            facts={[
              [t('Installed system'), system === '' ? <Dimmed span>{t('Unknown')}</Dimmed> : system],
              [t('Installed'), installed === '' ? '' : <Timestamp key="at" at={installed} />],
              [t('Data centre'), location],
              [t('Rack'), rack],
              [t('Created'), <Timestamp key="at" at={created} />],
              ...(price.data === undefined ? [] : priceFacts(price.data)),
            ]}
          />
        )}
      </QueryResult>
      {price.error !== null && <QueryResult query={price}>{() => null}</QueryResult>}
    </SectionCard>
  );
}

function priceLine({ price, months }: DevicePrice): ReactNode {
  const amount = { amount: <Money amount={price} /> };
  if (months === '1') return rich('{amount} per month, plus tax', amount);
  if (months === '3') return rich('{amount} per quarter, plus tax', amount);
  if (months === '12') return rich('{amount} per year, plus tax', amount);
  return rich('{amount} per {months} months, plus tax', { ...amount, months });
}

function priceFacts(devicePrice: DevicePrice): Fact[] {
  const { price, next } = devicePrice;
  if (price === '') return [[t('Price'), <Dimmed key="none" span children={t('Not billed')} />]];
  return [
    [t('Price'), <span key="price">{priceLine(devicePrice)}</span>],
    [
      t('Next invoice'),
      next.date === '' ? (
        ''
      ) : (
        <span key="next">
          {rich('{day}: {amount} for this server, plus tax', {
            day: <Day on={next.date} />,
            amount: <Money amount={next.amount} />,
          })}
        </span>
      ),
    ],
  ];
}
