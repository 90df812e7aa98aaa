import { Link } from '#ui/navigation.tsx'
import { t } from '@stint/core/text.ts'
import { RichText } from '#ui/rich-text.tsx'
import { LegalPage, Part } from './legal.tsx'
import { SupportLink } from './support-link.tsx'

/** The page /terms. */
export function Terms({ supportEmail }: { supportEmail: string }) {
  return (
    <LegalPage
      title={t('Terms of service')}
      lead={t(
        'These terms are the agreement between you and whoever runs this Stint server (“we”). They are short so that you can read them.',
      )}
    >
      <Part place={1} title={t('Acceptance')}>
        <p>
          <RichText
            text={t(
              'By creating an account or using Stint you accept these terms and the <privacy>privacy policy</privacy>. If you do not accept them, do not use the service.',
            )}
            tags={{
              privacy: (words) => (
                <Link to="/privacy" className="underline underline-offset-4">
                  {words}
                </Link>
              ),
            }}
          />
        </p>
      </Part>
      <Part place={2} title={t('What the service is')}>
        <p>
          {t(
            'Stint lets you create tasks, time them with a start, pause, resume and stop timer, and see where your time went. It runs in the browser and can be installed. It is free of charge. It is a record of what you timed, not a payroll, billing or legal time-keeping system.',
          )}
        </p>
      </Part>
      <Part place={3} title={t('Your account')}>
        <ul>
          <li>{t('You need an account with your name, your email address and a password.')}</li>
          <li>{t('You must be at least 13 years old.')}</li>
          <li>{t('An account is for one person. Keep its password to yourself.')}</li>
          <li>
            {t(
              'You are responsible for what happens under your account. Tell us promptly if it is misused.',
            )}
          </li>
        </ul>
      </Part>
      <Part place={4} title={t('Your data')}>
        <p>
          {t(
            'Your tasks and your tracked time are yours. We claim no right to them beyond what is needed to store them, to show them to you and to back them up. The privacy policy says what is stored and where.',
          )}
        </p>
      </Part>
      <Part place={5} title={t('Acceptable use')}>
        <p>{t('Do not use Stint to:')}</p>
        <ul>
          <li>{t('break a law or another person’s rights;')}</li>
          <li>{t('access, or try to access, another person’s account or data;')}</li>
          <li>{t('disrupt or overload the service, or bypass its limits;')}</li>
          <li>{t('spread malware, or impersonate another person.')}</li>
        </ul>
        <p>{t('We may suspend an account that breaks these rules.')}</p>
      </Part>
      <Part place={6} title={t('Availability')}>
        <p>
          {t(
            'We try to keep the service available at all times but do not guarantee it: there will be maintenance and there may be outages. Time tracked offline stays on your device until it syncs.',
          )}
        </p>
      </Part>
      <Part place={7} title={t('Keeping and deleting data')}>
        <ul>
          <li>{t('Your data is kept for as long as you have an account.')}</li>
          <li>
            {t(
              'A task that you delete is deactivated: it disappears from your lists but is kept, so that its time keeps its name in your reports.',
            )}
          </li>
          <li>
            <RichText
              text={t(
                'To have your account and all its data deleted, write to <mail>{address}</mail> from the address of the account.',
                { address: supportEmail },
              )}
              tags={{ mail: (address) => <SupportLink address={address} /> }}
            />
          </li>
        </ul>
      </Part>
      <Part place={8} title={t('Liability')}>
        <p>
          {t(
            'The service is provided as it is, without warranty of any kind. As far as the law allows, we are not liable for indirect damage, for lost profit, or for loss of data. Nothing in these terms limits liability that cannot be limited by law.',
          )}
        </p>
      </Part>
      <Part place={9} title={t('Changes to these terms')}>
        <p>
          {t(
            'We may change these terms. The date above then changes too, and a change that matters is announced in Stint or by email before it takes effect. If you continue to use Stint after that, the new terms apply.',
          )}
        </p>
      </Part>
      <Part place={10} title={t('Termination')}>
        <p>
          {t(
            'You may stop using Stint at any time and ask for your account to be deleted. We may suspend or close an account that breaks these terms, or end the service. If we end it, we give you reasonable notice, so that you can take your data with you.',
          )}
        </p>
      </Part>
      <Part place={11} title={t('Governing law')}>
        <p>
          {t(
            'The law of the place where the operator of this server is established applies, and its courts decide. Rights that the law of your country gives you as a consumer stay yours.',
          )}
        </p>
      </Part>
      <Part place={12} title={t('Contact')}>
        <p>
          <RichText
            text={t('Questions about these terms: <mail>{address}</mail>.', {
              address: supportEmail,
            })}
            tags={{ mail: (address) => <SupportLink address={address} /> }}
          />
        </p>
      </Part>
    </LegalPage>
  )
}
