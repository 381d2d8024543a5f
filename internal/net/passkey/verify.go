package passkey

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"math"
	"math/big"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/protocol/webauthncose"
)

// algorithms are the ones nod accepts, best first: those of phones, computers
// and security keys.
var algorithms = []protocol.CredentialParameter{
	{Type: protocol.PublicKeyCredentialType, Algorithm: webauthncose.AlgES256},
	{Type: protocol.PublicKeyCredentialType, Algorithm: webauthncose.AlgEdDSA},
	{Type: protocol.PublicKeyCredentialType, Algorithm: webauthncose.AlgRS256},
}

// noFrames: nod's page is never embedded, so the library gets no list of origins
// that may be above it.
const noFrames = protocol.TopOriginExplicitVerificationMode

// verify checks a new passkey and returns the authenticator's data about it. It
// compares the challenge with itself: the session was found by it.
func (r Registration) verify(site Site) (*protocol.AuthenticatorData, error) {
	p, err := protocol.CredentialCreationResponse{
		PublicKeyCredential: rawCredential(r.Credential),
		AttestationResponse: protocol.AuthenticatorAttestationResponse{
			AuthenticatorResponse: protocol.AuthenticatorResponse{ClientDataJSON: r.ClientData},
			AttestationObject:     r.Attestation,
		},
	}.Parse()
	if err != nil {
		return nil, refuse(Invalid, "registration: %s", err)
	}
	client, object := &p.Response.CollectedClientData, &p.Response.AttestationObject
	if object.Format == "" {
		return nil, refuse(Invalid, "registration: an attestation without a format")
	}
	if err := check(client, &object.AuthData, site); err != nil {
		return nil, err
	}
	if err := checkKey(object.AuthData.AttData.CredentialPublicKey); err != nil {
		return nil, refuse(UnsupportedKey, "%s", err)
	}
	// Some authenticators attest without being asked. nod trusts the person who
	// registers, not the manufacturer, so it drops the statement.
	object.Format, object.AttStatement, object.SubStatements = string(protocol.AttestationFormatNone), nil, nil
	if _, err := p.Verify(client.Challenge, site.Name, []string{site.Origin}, nil, nil, noFrames, false, true, true,
		nil, algorithms, protocol.AttestationPolicy{}, protocol.SignaturePolicy{}); err != nil {
		return nil, refuse(Invalid, "registration: %s", err)
	}
	return &object.AuthData, nil
}

// parse reads an assertion and checks everything but the signature.
func (a Assertion) parse(site Site) (*protocol.ParsedCredentialAssertionData, error) {
	p, err := protocol.CredentialAssertionResponse{
		PublicKeyCredential: rawCredential(a.Credential),
		AssertionResponse: protocol.AuthenticatorAssertionResponse{
			AuthenticatorResponse: protocol.AuthenticatorResponse{ClientDataJSON: a.ClientData},
			AuthenticatorData:     a.AuthenticatorData,
			Signature:             a.Signature,
		},
	}.Parse()
	if err != nil {
		return nil, refuse(Invalid, "assertion: %s", err)
	}
	return p, check(&p.Response.CollectedClientData, &p.Response.AuthenticatorData, site)
}

// verifyAssertion checks everything, including the signature.
func verifyAssertion(k Key, p *protocol.ParsedCredentialAssertionData, site Site) error {
	err := p.Verify(p.Response.CollectedClientData.Challenge, site.Name, "", []string{site.Origin}, nil, nil, noFrames, false, true, true,
		k.Public, protocol.SignaturePolicy{})
	if err != nil {
		return refuse(Invalid, "passkey %s: %s", k.ID, err)
	}
	return nil
}

func rawCredential(id Bytes) protocol.PublicKeyCredential {
	return protocol.PublicKeyCredential{
		Credential: protocol.Credential{ID: id.String(), Type: string(protocol.PublicKeyCredentialType)}, RawID: id,
	}
}

// check finds the reason for a refusal, and is stricter than the library: origins
// are compared byte by byte, and contradicting flags are an error.
func check(client *protocol.CollectedClientData, data *protocol.AuthenticatorData, site Site) error {
	hash := sha256.Sum256([]byte(site.Name))
	switch flags := data.Flags; {
	case client.Origin != site.Origin || client.CrossOrigin || client.TopOrigin != "":
		return refuse(WrongOrigin, "made on %q (in a frame: %v), not on %q", client.Origin, client.CrossOrigin, site.Origin)
	case !bytes.Equal(data.RPIDHash, hash[:]):
		return refuse(WrongOrigin, "the passkey is for another hub")
	case !flags.UserPresent(), !flags.UserVerified():
		return refuse(Unverified, "flags %08b", flags)
	case flags.HasBackupState() && !flags.HasBackupEligible():
		return refuse(Invalid, "flags %08b contradict each other", flags)
	}
	return nil
}

// checkKey refuses COSE keys that the library accepts and nod does not: the
// library knows more algorithms and sets no limits for RSA.
func checkKey(cose []byte) error {
	key, err := webauthncose.ParsePublicKey(cose)
	if err != nil {
		return err
	}
	ok, alg := false, int64(0)
	switch k := key.(type) {
	case webauthncose.EC2PublicKeyData:
		alg = k.Algorithm
		ok = alg == int64(webauthncose.AlgES256)
	case webauthncose.OKPPublicKeyData:
		alg = k.Algorithm
		ok = alg == int64(webauthncose.AlgEdDSA)
	case webauthncose.RSAPublicKeyData:
		alg = k.Algorithm
		bits := new(big.Int).SetBytes(k.Modulus).BitLen()
		e, err := webauthncose.ParseRSAPublicKeyDataExponent(&k)
		ok = alg == int64(webauthncose.AlgRS256) && bits >= 2048 && bits <= 8192 && err == nil && e >= 3 && e <= math.MaxInt32 && e%2 == 1
	}
	if !ok {
		return fmt.Errorf("a public key that nod does not accept: %T, algorithm %d", key, alg)
	}
	return nil
}
