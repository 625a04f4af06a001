/** Every path of the app. Layouts and pages load lazily: staff consoles are never in a trader's chunks. */
import { Navigate, Outlet, Route, Routes } from 'react-router';
import type { LoadCode } from '../shared/code/lazy-code.tsx';
import { usePrefetch } from '../shared/code/usePrefetch.ts';
import { fetchNotices } from '../shared/ui/index.ts';
import { RegistrationOnly, StaffOnly, TraderOnly, VisitorOnly } from './guards.tsx';
import { PublicLayout } from './layouts/PublicLayout.tsx';
import { lazyLayout, lazyPage } from './lazyPage.tsx';
import { Page } from './Page.tsx';
import type { StaffCode } from './staff-code.ts';

const loadTraderPage = {
  dashboard: () => import('../features/dashboard/DashboardPage.tsx'),
  trading: () => import('../features/trading/index.ts'),
  wallet: () => import('../features/wallet/WalletPage.tsx'),
  chat: () => import('../features/support/trader/ChatPage.tsx'),
  profile: () => import('../features/accounts/ProfilePage.tsx'),
} satisfies Record<string, LoadCode>;
const traderCode = [...Object.values(loadTraderPage), fetchNotices];

const LandingPage = lazyPage(() => import('../features/landing/LandingPage.tsx'));
const AboutPage = lazyPage(() => import('../features/static/AboutPage.tsx'));
const ContactPage = lazyPage(() => import('../features/contact/ContactPage.tsx'));
const TermsPage = lazyPage(() => import('../features/static/TermsPage.tsx'));
const PrivacyPage = lazyPage(() => import('../features/static/PrivacyPage.tsx'));
const AuthLayout = lazyLayout(() => import('./layouts/AuthLayout.tsx'));
const LoginPage = lazyPage(() => import('../features/accounts/LoginPage.tsx'));
const RegisterPage = lazyPage(() => import('../features/accounts/RegisterPage.tsx'));
const ResetPasswordPage = lazyPage(() => import('../features/accounts/ResetPasswordPage.tsx'));
const UpdatePasswordPage = lazyPage(() => import('../features/accounts/UpdatePasswordPage.tsx'));
const CallbackPage = lazyPage(() => import('../features/accounts/CallbackPage.tsx'));
const TraderLayout = lazyLayout(() => import('./layouts/TraderLayout.tsx'));
const DashboardPage = lazyPage(loadTraderPage.dashboard);
const TradingPage = lazyPage(loadTraderPage.trading);
const WalletPage = lazyPage(loadTraderPage.wallet);
const ChatPage = lazyPage(loadTraderPage.chat);
const ProfilePage = lazyPage(loadTraderPage.profile);
/** Two steps: the first knows where the second one is. */
const staff =
  (name: StaffCode): LoadCode =>
  async () => {
    const { staffCode } = await import('./staff-code.ts');
    return staffCode[name]();
  };
const AdminLayout = lazyLayout(staff('adminLayout'));
const ManagerLayout = lazyLayout(staff('managerLayout'));
const SupportLayout = lazyLayout(staff('supportLayout'));
const AdminPage = lazyPage(staff('admin'));
const MetricsPage = lazyPage(staff('metrics'));
const AuditPage = lazyPage(staff('audit'));
const UserPage = lazyPage(staff('user'));
const ManagerPage = lazyPage(staff('manager'));
const SupportPage = lazyPage(staff('support'));
/** Only while developing; the build leaves its code out. */
const DesignPage = import.meta.env.DEV ? lazyPage(() => import('../features/design/DesignPage.tsx')) : null;

/**
 * A trader whose server falls silent can still go from page to page. It stands around the page, so that the other pages are
 * fetched once this one's code is there and not beside it.
 */
function WithOtherPages() {
  usePrefetch(traderCode);
  return <Outlet />;
}

export function AppRoutes() {
  return (
    <Routes>
      <Route element={<Page />}>
        <Route element={<PublicLayout />}>
          <Route
            index
            element={
              <VisitorOnly>
                <LandingPage />
              </VisitorOnly>
            }
          />
          <Route path="about" element={<AboutPage />} />
          <Route path="contact" element={<ContactPage />} />
          <Route path="terms" element={<TermsPage />} />
          <Route path="privacy" element={<PrivacyPage />} />
        </Route>
        <Route element={<AuthLayout />}>
          <Route
            path="login"
            element={
              <VisitorOnly>
                <LoginPage />
              </VisitorOnly>
            }
          />
          <Route
            path="register"
            element={
              <RegistrationOnly>
                <RegisterPage />
              </RegistrationOnly>
            }
          />
          <Route path="reset-password" element={<ResetPasswordPage />} />
          <Route path="update-password" element={<UpdatePasswordPage />} />
          <Route path="auth/callback" element={<CallbackPage />} />
        </Route>
        <Route
          element={
            <TraderOnly>
              <TraderLayout />
            </TraderOnly>
          }
        >
          <Route element={<WithOtherPages />}>
            <Route path="dashboard" element={<DashboardPage />} />
            <Route path="trading" element={<TradingPage />} />
            <Route path="wallet" element={<WalletPage />} />
            <Route path="chat" element={<ChatPage />} />
            <Route path="profile" element={<ProfilePage />} />
          </Route>
        </Route>
        <Route
          element={
            <StaffOnly admits="admin">
              <AdminLayout />
            </StaffOnly>
          }
        >
          <Route path="admin" element={<AdminPage />} />
          <Route path="admin/metrics" element={<MetricsPage />} />
          <Route path="admin/audit" element={<AuditPage />} />
          <Route path="admin/users/:userId" element={<UserPage />} />
        </Route>
        <Route
          element={
            <StaffOnly admits="manager">
              <ManagerLayout />
            </StaffOnly>
          }
        >
          <Route path="manager" element={<ManagerPage />} />
        </Route>
        <Route
          element={
            <StaffOnly admits="support">
              <SupportLayout />
            </StaffOnly>
          }
        >
          <Route path="support" element={<SupportPage />} />
        </Route>
        {DesignPage === null ? null : <Route path="design" element={<DesignPage />} />}
        <Route path="*" element={<Navigate to="/" replace />} />
      </Route>
    </Routes>
  );
}
