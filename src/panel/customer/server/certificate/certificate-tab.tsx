// The signed records of how the service got its server, and of what happened to it afterwards.
import { Alert, Group, Stack, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { JSX } from 'react';
import {
  certificateFacts,
  certificateTitles,
  diskTexts,
  erasureText,
  signOffTexts,
} from '#contract/certificate-text.ts';
import { HostyardError, verifyCertificate, type Certificate, type CertificateKey, type Device } from '#sdk/v2.ts';
import { useRead } from '../../../data/operations.ts';
import { customerApi } from '../../../data/session.ts';
import { DownloadButton } from '../../../parts/download-button.tsx';
import { Facts } from '../../../parts/facts.tsx';
import { PdfButtons } from '../../../parts/pdf-buttons.tsx';
import { EmptyCard, LoadingLines, QueryResult, type QueryState } from '../../../parts/query-result.tsx';
import { PlainTable, type Column } from '../../../parts/table-card.tsx';
import { Icon } from '../../../shell/icons.tsx';
import { SectionCard } from '../section-card.tsx';
import { t, tData } from '../../../text/text.ts';

export function CertificateTab({ device: { service, status } }: { device: Device }): JSX.Element {
  const certificates = useRead('certificateList', { service });
  const key = useRead('certificateKeyGet', {});
  const isAbsent = certificates.error instanceof HostyardError && certificates.error.code === 'not_found';
  const found = isAbsent ? [] : certificates.data;
  const isPending = status === 'Terminated' && found?.every(({ kind }) => kind !== 'erasure') === true;
  return (
    <Stack>
      {isPending && (
        <EmptyCard icon="shield" title={t('No erasure certificate yet')}>
          {t('It appears here as soon as the server has been erased and checked.')}
        </EmptyCard>
      )}
      {isAbsent && !isPending && (
        <EmptyCard icon="shield" title={t('No certificate')}>
          {t('Certificates are issued when a server is erased: before its handover and after the service ends.')}
        </EmptyCard>
      )}
      {!isAbsent && (
        <QueryResult query={certificates} lines={8}>
          {(all) =>
            all
              .toReversed()
              .map((certificate) => (
                <CertificateCard
                  key={certificate.kind}
                  service={service}
                  certificate={certificate}
                  verifyingKey={key}
                />
              ))
          }
        </QueryResult>
      )}
    </Stack>
  );
}

const diskColumns: readonly Column<ReturnType<typeof diskTexts>[number]>[] = [
  { label: t('Disk'), ff: 'monospace', className: 'wrap-anywhere', cell: ({ serial }) => serial },
  { label: t('Size'), cell: ({ size }) => size },
  { label: t('Method'), cell: ({ method }) => tData(method) },
  { label: t('Duration'), cell: ({ duration }) => duration },
];

/** The sentence has a time. */
function inLanguage(sentence: string): string {
  const [time = ''] = /\d{4}-\d\d-\d\d \d\d:\d\d UTC/.exec(sentence) ?? [];
  return tData(time === '' ? sentence : sentence.replace(time, '{time}')).replace('{time}', time);
}

interface CertificateCardProps {
  readonly service: string;
  readonly certificate: Certificate;
  readonly verifyingKey: QueryState<CertificateKey>;
}

function CertificateCard({ service, certificate, verifyingKey }: CertificateCardProps): JSX.Element {
  const { kind, document, signed } = certificate;
  const title = tData(certificateTitles[kind]);
  const disks = diskTexts(document);
  const signOffs = signOffTexts(document);
  return (
    <SectionCard title={title} description={inLanguage(erasureText(document, kind))}>
      <Stack>
        <QueryResult query={verifyingKey} lines={1}>
          {(known) => <Verification signed={signed} verifyingKey={known} />}
        </QueryResult>
        {disks.length > 0 && (
          <PlainTable
            label={t('Erased disks')}
            columns={diskColumns}
            rows={disks}
            rowKey={({ serial }) => serial}
            minWidth={480}
          />
        )}
        <Facts facts={certificateFacts(document).map(([name, text]) => [tData(name), tData(text)])} />
        {signOffs.length > 0 && (
          <>
            <Title order={3} size="h6">
              {t('Signed off by staff without a result')}
            </Title>
            <Facts facts={signOffs.map(({ step, text }) => [tData(step), text])} />
          </>
        )}
        <Group gap="xs">
          <PdfButtons title={title} load={() => customerApi().certificatePdf({ service, kind })} />
          <DownloadButton
            fileName={`${kind}-${service}.jws`}
            type="application/jose"
            load={() => Promise.resolve(signed)}
            errorTitle={title}
          >
            {t('Signed certificate')}
          </DownloadButton>
        </Group>
      </Stack>
    </SectionCard>
  );
}

function Verification({ signed, verifyingKey }: { signed: string; verifyingKey: CertificateKey }): JSX.Element {
  const verification = useQuery({
    queryKey: ['customer', 'verifyCertificate', signed, verifyingKey.kid],
    queryFn: () => verifyCertificate(signed, verifyingKey),
    staleTime: Infinity,
    enabled: window.isSecureContext,
  });
  const { error, isSuccess } = verification;
  if (!window.isSecureContext || (error instanceof DOMException && error.name === 'NotSupportedError'))
    return (
      <Alert color="orange" variant="light" icon={<Icon name="warning" />} title={t('Not verified')}>
        {t(
          'This browser cannot verify it here. Download the signed certificate and run “hostyard certificate verify”.',
        )}
      </Alert>
    );
  if (error !== null)
    return (
      <Alert color="red" variant="light" icon={<Icon name="warning" />} title={t('Verification failed')} role="alert">
        {error.message}
      </Alert>
    );
  if (!isSuccess) return <LoadingLines lines={1} />;
  return (
    <Alert color="teal" variant="light" icon={<Icon name="check" />} title={t('Verified')} className="wrap-anywhere">
      {t('Your browser checked the signature with the provider’s key {key}.', { key: verifyingKey.kid })}
    </Alert>
  );
}
