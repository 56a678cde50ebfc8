package sir

// Stats are a document's counts, over its live elements.
type Stats struct {
	// TotalElements are live; ConfirmedElements and TentativeElements are
	// among them.
	TotalElements     int `json:"totalElements"`
	ConfirmedElements int `json:"confirmedElements"`
	TentativeElements int `json:"tentativeElements"`
	// PendingAmbiguities are the readings that nobody has chosen yet.
	PendingAmbiguities int `json:"pendingAmbiguities"`
	TotalTurns         int `json:"totalTurns"`
	// AvgConfidence is the mean over the live elements; 0 without any.
	AvgConfidence Confidence `json:"avgConfidence"`
	// DomainConfidence is how sure the choice of the main domain is.
	DomainConfidence Confidence `json:"domainConfidence"`
}
