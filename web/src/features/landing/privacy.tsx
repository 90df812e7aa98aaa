import { Link } from '#ui/navigation.tsx'
import { t } from '@stint/core/text.ts'
import { RichText } from '#ui/rich-text.tsx'
import { LegalPage, Part } from './legal.tsx'
import { SupportLink } from './support-link.tsx'

/** The page /privacy. It describes what the product really does. */
export function Privacy({ supportEmail }: { supportEmail: string }) {
  return (
    <LegalPage
      title={t('Privacy policy')}
      lead={t(
        'What Stint stores about you, where, what for, and how to have it deleted. “We” is whoever runs this Stint server.',
      )}
    >
      <Part place={1} title={t('What is collected')}>
        <ul>
          <li>
            <Kind
              text={t(
                '<b>Account data:</b> your name, your email address, and your password as a hash that cannot be reversed.',
              )}
            />
          </li>
          <li>
            <Kind
              text={t('<b>Task data:</b> the names and settings of the tasks that you create.')}
            />
          </li>
          <li>
            <Kind
              text={t(
                '<b>Time-tracking data:</b> when your sessions started, paused and ended, on which task, and a short label of the device, such as “Firefox on Linux”.',
              )}
            />
          </li>
          <li>
            <Kind
              text={t(
                '<b>Technical data:</b> your IP address and browser, with your sign-ins and in the server’s error logs, to keep your account safe and to fix errors.',
              )}
            />
          </li>
        </ul>
        <p>{t('There is no advertising, no analytics and no tracking of any kind.')}</p>
      </Part>
      <Part place={2} title={t('What it is used for')}>
        <p>
          {t(
            'To sign you in, to keep and show you your tasks and your time on all your devices, to answer you, and to protect the service. For nothing else. Your data is not sold and not shared for anyone else’s purposes.',
          )}
        </p>
      </Part>
      <Part place={3} title={t('Where it is kept')}>
        <ul>
          <li>
            {t(
              'Your data is stored with a backend-as-a-service provider: Stint’s own server, or an Appwrite project, as the operator of this site has chosen. The provider stores it for us and may not use it for its own purposes.',
            )}
          </li>
          <li>
            {t(
              'A copy is in your browser’s storage, so that Stint opens instantly and works offline. Signing out removes it, unless it has changes that have not synced yet.',
            )}
          </li>
          <li>
            {t(
              'Copies of the last seven days are kept in your browser as files, in case the server loses data. Signing out removes them. If you choose a folder for them, the files in it stay.',
            )}
          </li>
          <li>{t('Stint’s pages load nothing from third parties and send nothing to them.')}</li>
          <li>
            {t(
              'If you have a device show the running timer as a notification, the push service of its browser delivers it. It is encrypted, so the service learns only when something is sent.',
            )}
          </li>
        </ul>
      </Part>
      <Part place={4} title={t('Cookies and local storage')}>
        <p>
          {t(
            'Two cookies keep you signed in: one holds your sign-in and cannot be read by scripts; the other only indicates that you are signed in. A third holds the language if you choose one. The browser’s local storage replaces them where cookies are blocked, and keeps small settings of this browser, such as how far its clock is off. None of this tracks you on other sites.',
          )}
        </p>
      </Part>
      <Part place={5} title={t('How long it is kept')}>
        <ul>
          <li>{t('As long as you have an account.')}</li>
          <li>
            <RichText
              text={t(
                'Tasks that you delete are deactivated, not erased: they are kept with <code>isActive</code> set to <code>false</code>, so that time already tracked keeps its name.',
              )}
              tags={{ code: (words) => <code>{words}</code> }}
            />
          </li>
        </ul>
      </Part>
      <Part place={6} title={t('Deleting your account')}>
        <p>
          <RichText
            text={t(
              'Write to <mail>{address}</mail> from the address of your account. Your account is then deleted with its tasks and sessions.',
              { address: supportEmail },
            )}
            tags={{ mail: (address) => <SupportLink address={address} /> }}
          />
        </p>
      </Part>
      <Part place={7} title={t('Your rights')}>
        <p>
          <RichText
            text={t(
              'You may ask what is stored about you, have it corrected or deleted, receive a copy, or object to its use. Write to <mail>{address}</mail>. You may also complain to the data protection authority of your country.',
              { address: supportEmail },
            )}
            tags={{ mail: (address) => <SupportLink address={address} /> }}
          />
        </p>
      </Part>
      <Part place={8} title={t('Security')}>
        <p>
          {t(
            'Passwords are hashed, documents can be read and changed only by their owner, and the server rejects requests from other sites. No system is perfectly safe. If a breach concerns your data, we notify you within 72 hours of learning of it.',
          )}
        </p>
      </Part>
      <Part place={9} title={t('Children')}>
        <p>
          {t(
            'Stint is not for anyone under 13. If you believe that a child has an account, tell us and we will delete it.',
          )}
        </p>
      </Part>
      <Part place={10} title={t('Changes and contact')}>
        <p>
          <RichText
            text={t(
              'When this policy changes, so does the date above. Questions: <mail>{address}</mail>. The <terms>terms of service</terms> apply as well.',
              { address: supportEmail },
            )}
            tags={{
              mail: (address) => <SupportLink address={address} />,
              terms: (words) => (
                <Link to="/terms" className="underline underline-offset-4">
                  {words}
                </Link>
              ),
            }}
          />
        </p>
      </Part>
    </LegalPage>
  )
}

/** A kind of data, its name in bold. */
function Kind({ text }: { text: string }) {
  return <RichText text={text} tags={{ b: (words) => <b className="font-semibold">{words}</b> }} />
}
