/** Every path of the app. Layouts and pages load lazily: staff consoles are never in a trader's chunks. */
import { lazy } from 'react';
import { Navigate, Route, Routes } from 'react-router';
import { RegistrationOnly, StaffOnly, TraderOnly, VisitorOnly } from './guards.tsx';
import { PublicLayout } from './layouts/PublicLayout.tsx';
import { Page } from './Page.tsx';

const LandingPage = lazy(() => import('../features/landing/LandingPage.tsx'));
const AboutPage = lazy(() => import('../features/static/AboutPage.tsx'));
const ContactPage = lazy(() => import('../features/static/ContactPage.tsx'));
const TermsPage = lazy(() => import('../features/static/TermsPage.tsx'));
const PrivacyPage = lazy(() => import('../features/static/PrivacyPage.tsx'));
const AuthLayout = lazy(() => import('./layouts/AuthLayout.tsx'));
const LoginPage = lazy(() => import('../features/accounts/LoginPage.tsx'));
const RegisterPage = lazy(() => import('../features/accounts/RegisterPage.tsx'));
const ResetPasswordPage = lazy(() => import('../features/accounts/ResetPasswordPage.tsx'));
const TraderLayout = lazy(() => import('./layouts/TraderLayout.tsx'));
const DashboardPage = lazy(() => import('../features/dashboard/DashboardPage.tsx'));
const TradingPage = lazy(() => import('../features/trading/index.ts'));
const WalletPage = lazy(() => import('../features/wallet/WalletPage.tsx'));
const ChatPage = lazy(() => import('../features/chat/ChatPage.tsx'));
const ProfilePage = lazy(() => import('../features/accounts/ProfilePage.tsx'));
const AdminLayout = lazy(() => import('./layouts/AdminLayout.tsx'));
const ManagerLayout = lazy(() => import('./layouts/ManagerLayout.tsx'));
const SupportLayout = lazy(() => import('./layouts/SupportLayout.tsx'));
const AdminPage = lazy(() => import('../features/staff/AdminPage.tsx'));
const MetricsPage = lazy(() => import('../features/staff/MetricsPage.tsx'));
const ManagerPage = lazy(() => import('../features/staff/ManagerPage.tsx'));
const SupportPage = lazy(() => import('../features/staff/SupportPage.tsx'));

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
        </Route>
        <Route
          element={
            <TraderOnly>
              <TraderLayout />
            </TraderOnly>
          }
        >
          <Route path="dashboard" element={<DashboardPage />} />
          <Route path="trading" element={<TradingPage />} />
          <Route path="wallet" element={<WalletPage />} />
          <Route path="chat" element={<ChatPage />} />
          <Route path="profile" element={<ProfilePage />} />
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
        <Route path="*" element={<Navigate to="/" replace />} />
      </Route>
    </Routes>
  );
}
