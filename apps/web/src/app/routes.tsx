/** All routes of the app. Layouts and pages load lazily: staff consoles are never in a trader's chunks. */
import type { ComponentType, ReactNode } from 'react';
import { Navigate, Outlet, Route, Routes } from 'react-router';
import type { LoadCode } from '../shared/code/lazy-code.tsx';
import { usePrefetch } from '../shared/code/usePrefetch.ts';
import type { Role } from '../shared/session/index.ts';
import { prefetchToasts } from '../shared/ui/index.ts';
import type { FurtherPageName } from './further-pages.ts';
import { RegistrationOnly, StaffOnly, TraderOnly, VisitorOnly } from './guards.tsx';
import { PublicLayout } from './layouts/PublicLayout.tsx';
import { lazyLayout, lazyPage } from './lazyPage.tsx';
import { Page } from './Page.tsx';
import type { StaffPageName } from './staff-pages.ts';

const loadTraderPage = {
  dashboard: () => import('../features/dashboard/DashboardPage.tsx'),
  trading: () => import('../features/trading/index.ts'),
  wallet: () => import('../features/wallet/WalletPage.tsx'),
  chat: () => import('../features/support/trader/ChatPage.tsx'),
  profile: () => import('../features/identity/ProfilePage.tsx'),
} satisfies Record<string, LoadCode>;
const traderPrefetch = [...Object.values(loadTraderPage), prefetchToasts];

const LandingPage = lazyPage(() => import('../features/landing/LandingPage.tsx'));
const ContactPage = lazyPage(() => import('../features/contact/ContactPage.tsx'));
const AuthLayout = lazyLayout(() => import('./layouts/AuthLayout.tsx'));
const LoginPage = lazyPage(() => import('../features/identity/LoginPage.tsx'));
const RegisterPage = lazyPage(() => import('../features/identity/RegisterPage.tsx'));
const TraderLayout = lazyLayout(() => import('./layouts/TraderLayout.tsx'));
const DashboardPage = lazyPage(loadTraderPage.dashboard);
const TradingPage = lazyPage(loadTraderPage.trading);
const WalletPage = lazyPage(loadTraderPage.wallet);
/** Loads in two steps: the first module contains the import of the second. */
const loadFurtherPage =
  (name: FurtherPageName): LoadCode =>
  async () => {
    const { furtherPages } = await import('./further-pages.ts');
    return furtherPages[name]();
  };
const ResetPasswordPage = lazyPage(loadFurtherPage('resetPassword'));
const UpdatePasswordPage = lazyPage(loadFurtherPage('updatePassword'));
const CallbackPage = lazyPage(loadFurtherPage('callback'));
const JournalPage = lazyPage(loadFurtherPage('journal'));
const AnalyticsPage = lazyPage(loadFurtherPage('analytics'));
const OwnContestsPage = lazyPage(loadFurtherPage('contests'));
const SignalsPage = lazyPage(loadFurtherPage('signals'));
const ChatPage = lazyPage(loadTraderPage.chat);
const ProfilePage = lazyPage(loadTraderPage.profile);
const AboutPage = lazyPage(loadFurtherPage('about'));
const TermsPage = lazyPage(loadFurtherPage('terms'));
const PrivacyPage = lazyPage(loadFurtherPage('privacy'));
const ReferencePage = lazyPage(loadFurtherPage('reference'));
/** Likewise. */
const loadStaffPage =
  (name: StaffPageName): LoadCode =>
  async () => {
    const { staffPages } = await import('./staff-pages.ts');
    return staffPages[name]();
  };
const AdminLayout = lazyLayout(loadStaffPage('adminLayout'));
const ManagerLayout = lazyLayout(loadStaffPage('managerLayout'));
const SupportLayout = lazyLayout(loadStaffPage('supportLayout'));
const AdminPage = lazyPage(loadStaffPage('admin'));
const MetricsPage = lazyPage(loadStaffPage('metrics'));
const AuditPage = lazyPage(loadStaffPage('audit'));
const ClassesPage = lazyPage(loadStaffPage('classes'));
const ContestsPage = lazyPage(loadStaffPage('contests'));
const ProjectorLayout = lazyLayout(loadStaffPage('projectorLayout'));
const ProjectorPage = lazyPage(loadStaffPage('projector'));
const EnrolmentPage = lazyPage(loadStaffPage('enrolment'));
const UserPage = lazyPage(loadStaffPage('user'));
const ManagerPage = lazyPage(loadStaffPage('manager'));
const SupportPage = lazyPage(loadStaffPage('support'));
/** Development only; the build drops the code. */
const DesignPage = import.meta.env.DEV ? lazyPage(() => import('../features/design/DesignPage.tsx')) : null;

/** An element behind its guard. */
const guarded = (Guard: ComponentType<{ readonly children: ReactNode }>, element: ReactNode) => (
  <Guard>{element}</Guard>
);
const staffOnly = (admits: Role, layout: ReactNode) => <StaffOnly admits={admits}>{layout}</StaffOnly>;

/**
 * Prefetches the trader's pages, so that navigation works when the server stops answering. It wraps the page, so that the
 * prefetch starts after the page's own code has loaded.
 */
function PrefetchTraderPages() {
  usePrefetch(traderPrefetch);
  return <Outlet />;
}

export function AppRoutes() {
  return (
    <Routes>
      <Route element={<Page />}>
        <Route element={<PublicLayout />}>
          <Route index element={guarded(VisitorOnly, <LandingPage />)} />
          <Route path="about" element={<AboutPage />} />
          <Route path="contact" element={<ContactPage />} />
          <Route path="terms" element={<TermsPage />} />
          <Route path="privacy" element={<PrivacyPage />} />
          <Route path="api-reference" element={<ReferencePage />} />
        </Route>
        <Route element={<AuthLayout />}>
          <Route path="login" element={guarded(VisitorOnly, <LoginPage />)} />
          <Route path="register" element={guarded(RegistrationOnly, <RegisterPage />)} />
          <Route path="reset-password" element={<ResetPasswordPage />} />
          <Route path="update-password" element={<UpdatePasswordPage />} />
          <Route path="auth/callback" element={<CallbackPage />} />
        </Route>
        <Route element={guarded(TraderOnly, <TraderLayout />)}>
          <Route element={<PrefetchTraderPages />}>
            <Route path="dashboard" element={<DashboardPage />} />
            <Route path="trading" element={<TradingPage />} />
            <Route path="wallet" element={<WalletPage />} />
            <Route path="journal" element={<JournalPage />} />
            <Route path="analytics" element={<AnalyticsPage />} />
            <Route path="chat" element={<ChatPage />} />
            <Route path="profile" element={<ProfilePage />} />
            <Route path="contests" element={<OwnContestsPage />} />
            <Route path="signals" element={<SignalsPage />} />
          </Route>
        </Route>
        <Route element={staffOnly('admin', <AdminLayout />)}>
          <Route path="admin" element={<AdminPage />} />
          <Route path="admin/metrics" element={<MetricsPage />} />
          <Route path="admin/audit" element={<AuditPage />} />
          <Route path="admin/classes" element={<ClassesPage />} />
          <Route path="admin/contests" element={<ContestsPage />} />
          <Route path="admin/enrolment" element={<EnrolmentPage />} />
          <Route path="admin/users/:userId" element={<UserPage />} />
        </Route>
        <Route element={staffOnly('admin', <ProjectorLayout />)}>
          <Route path="admin/projector" element={<ProjectorPage />} />
        </Route>
        <Route element={staffOnly('manager', <ProjectorLayout />)}>
          <Route path="manager/projector" element={<ProjectorPage />} />
        </Route>
        <Route element={staffOnly('manager', <ManagerLayout />)}>
          <Route path="manager" element={<ManagerPage />} />
          <Route path="manager/contests" element={<ContestsPage />} />
        </Route>
        <Route element={staffOnly('support', <SupportLayout />)}>
          <Route path="support" element={<SupportPage />} />
        </Route>
        {DesignPage === null ? null : <Route path="design" element={<DesignPage />} />}
        <Route path="*" element={<Navigate to="/" replace />} />
      </Route>
    </Routes>
  );
}
