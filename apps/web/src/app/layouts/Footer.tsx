/** The footer: its links (ROUTE-40 to ROUTE-42) and the disclaimer of every public page. */
import { Link } from 'react-router';
import { Brand } from '../../shared/ui/index.ts';

const groups = [
  {
    title: 'Products',
    links: [
      { to: '/trading', label: 'Trading Platform' },
      { to: '/wallet', label: 'Wallet' },
    ],
  },
  {
    title: 'Company',
    links: [
      { to: '/', label: 'Home' },
      { to: '/about', label: 'About Us' },
      { to: '/contact', label: 'Contact' },
    ],
  },
  {
    title: 'Legal',
    links: [
      { to: '/terms', label: 'Terms of Service' },
      { to: '/privacy', label: 'Privacy Policy' },
    ],
  },
] as const;

export function Footer() {
  return (
    <footer className="border-t border-line bg-surface">
      <div className="mx-auto grid max-w-[1288px] grid-cols-2 gap-8 px-6 py-10 max-md:px-4 md:grid-cols-[1fr_repeat(3,minmax(120px,auto))] md:gap-16">
        <div className="max-w-sm max-md:col-span-2">
          <Brand />
          <p className="mt-3 text-13 text-text-3">
            Everything here is simulated. No order reaches a market, no balance is worth money or can be paid
            out, and nothing is advice. Run by the host of this server.
          </p>
        </div>
        {groups.map((group) => (
          <nav key={group.title} aria-label={group.title}>
            <h2 className="mb-1.5 text-12 font-semibold">{group.title}</h2>
            <ul>
              {group.links.map(({ to, label }) => (
                <li key={to}>
                  <Link
                    to={to}
                    className="inline-block py-0.5 text-13 text-text-2 hover:text-text max-md:py-2"
                  >
                    {label}
                  </Link>
                </li>
              ))}
            </ul>
          </nav>
        ))}
      </div>
    </footer>
  );
}
